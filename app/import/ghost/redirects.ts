import * as z from 'zod';
import { parseYaml } from '#app/platform/text/yaml.ts';
import { oldAddress } from '#app/import/addresses/old-address.ts';
import type { ReadRedirects } from '#app/import/addresses/redirect-rules.ts';
import { AppError } from '#app/platform/errors.ts';

const jsonRedirects = z.array(z.object({ from: z.string(), to: z.string() }));
const yamlRedirects = z.record(z.string(), z.record(z.string(), z.string()).nullable());

/** A rule of Ghost's redirects file. */
export interface GhostRedirect {
  from: string;
  to: string;
}

/**
 * Reads `redirects.json` (a list of rules) or `redirects.yaml` (rules below 301 and 302).
 * @throws AppError `invalid_input` for anything else.
 */
export function readGhostRedirects(text: string): ReadRedirects {
  const rules = rulesOf(text);
  const byTarget = new Map<string, string[]>();
  const leftOut: string[] = [];
  for (const { from, to } of rules) {
    const path = plainPath(from);
    const target = oldAddress(to);
    if (path === null || target === null || path === target)
      leftOut.push(`The redirect from ${from} to ${to} is no plain path and was left out.`);
    else byTarget.set(target, [...(byTarget.get(target) ?? []), path]);
  }
  return { byTarget, leftOut };
}

function rulesOf(text: string): GhostRedirect[] {
  try {
    // JSON is YAML too, but YAML would misread its slashes as escapes.
    const value: unknown = /^\s*[[{]/.test(text) ? JSON.parse(text) : parseYaml(text);
    if (Array.isArray(value)) return jsonRedirects.parse(value);
    const groups = yamlRedirects.parse(value ?? {});
    return Object.values(groups).flatMap((group) =>
      Object.entries(group ?? {}).map(([from, to]) => ({ from, to })),
    );
  } catch (error) {
    throw new AppError(
      'invalid_input',
      'This is not a redirects file of Ghost: a JSON list, or YAML with 301 and 302.',
      { cause: error },
    );
  }
}

/** The path that a pattern without alternatives matches: `^\/old\/?$` is `/old`. */
function plainPath(pattern: string): string | null {
  const plain = pattern
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replace(/\\?\/\?$/, '')
    .replace(/\\([/.?+*$^()[\]{}|-])/g, (_, escaped: string) =>
      escaped === '.' || escaped === '-' || escaped === '/' ? escaped : `\\${escaped}`,
    );
  return /[\\^$*+?()[\]{}|]/.test(plain) ? null : oldAddress(plain);
}
