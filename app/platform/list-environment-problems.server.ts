import { environmentSchema, isConfigured, parseEnv } from './env.server.ts';
import { isAppError } from './errors.ts';

/** Stands in for a variable that is missing or wrong, so that the ones after it are read too. */
const substitutes: Record<string, string> = {
  DATABASE_URL: 'file:./data/dateline.db',
  AUTH_SECRET: '-'.repeat(32),
  AUTH_URL: 'http://localhost',
  S3_ACCESS_KEY_ID: '-',
  S3_SECRET_ACCESS_KEY: '-',
};

const names = Object.keys(environmentSchema.shape);

/** Everything for which `parseEnv` would refuse an environment; it names the first only. */
export function listEnvironmentProblems(
  source: Record<string, string | undefined>,
  purpose: 'command' | 'server',
): string[] {
  const messages: string[] = [];
  const variables = { ...source };
  // Each turn replaces at least one variable.
  for (let turns = names.length; turns > 0; turns -= 1) {
    try {
      parseEnv(variables, purpose);
      return messages;
    } catch (error) {
      if (!isAppError(error)) throw error;
      messages.push(error.message);
      // The one at the start is the subject; another is what it depends on.
      const [name, ...others] = (error.message.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []).filter((word) =>
        names.includes(word),
      );
      if (name === undefined) return messages;
      for (const each of isConfigured(variables[name]) ? [name] : [name, ...others])
        variables[each] = substitutes[each];
    }
  }
  return messages;
}
