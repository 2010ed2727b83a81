import { distance } from 'fastest-levenshtein';
import type { CommandModule } from 'yargs';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { definitionOf, settingKeys, type SettingKey } from '#app/settings/catalogue.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  key: string;
  value: string;
}

/** The value that means: read it from standard input. */
const FROM_INPUT = '-';
/** More than the longest setting has. */
const INPUT_BYTES_MAX = 1024 * 1024;

export const settingsGet: CommandModule<object, Omit<Arguments, 'value'>> = {
  command: 'settings:get <key>',
  describe: 'Show a setting',
  builder: (yargs) =>
    yargs.positional('key', { type: 'string', demandOption: true, describe: 'Key, such as site_title' }),
  handler: async ({ key }) => {
    const { readSettingTexts } = await import('#app/settings/queries.server.ts');
    const known = requireKey(key);
    printResult(await withApp(async (app) => shown(known, (await readSettingTexts(app)).texts[known])));
  },
};

export const settingsSet: CommandModule<object, Arguments> = {
  command: 'settings:set <key> <value>',
  describe: 'Change a setting',
  builder: (yargs) =>
    yargs
      .positional('key', { type: 'string', demandOption: true, describe: 'Key, such as site_title' })
      .positional('value', {
        type: 'string',
        demandOption: true,
        describe: 'Value; "-": standard input, for a secret or several lines',
      }),
  handler: async ({ key, value: parsed }) => {
    // Yargs takes a text that begins with a hyphen for an empty one.
    const value = parsed === '' ? (process.argv.at(-1) ?? '') : parsed;
    const { changeSettings } = await import('#app/publishing/settings/change.server.ts');
    const { readSettingTexts } = await import('#app/settings/queries.server.ts');
    const known = requireKey(key);
    if (definitionOf(known).group === 'internal')
      throw new AppError('invalid_input', `Dateline itself writes “${known}”.`);
    const wanted = value === FROM_INPUT ? await readInput() : value;
    if (definitionOf(known).secret && wanted === '')
      throw new AppError('invalid_input', `A blank value would leave “${known}” as it is.`);
    const result = await withApp(async (app) => {
      await changeSettings(app, { [known]: wanted }).catch((error: unknown) => {
        throw explained(error, known);
      });
      return shown(known, (await readSettingTexts(app)).texts[known]);
    });
    printResult(result);
  },
};

/** @throws AppError `invalid_input` for more than any setting may have */
async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > INPUT_BYTES_MAX)
      throw new AppError('invalid_input', 'The value on standard input is too long.');
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

/** A secret is never shown. */
function shown(key: SettingKey, value: string | undefined): object {
  return definitionOf(key).secret ? { key, redacted: true } : { key, value };
}

function requireKey(key: string): SettingKey {
  const known = settingKeys.find((each) => each === key);
  if (known) return known;
  const nearest = settingKeys.toSorted((a, b) => distance(key, a) - distance(key, b)).slice(0, 3);
  throw new AppError('invalid_input', `There is no setting “${key}”. The nearest: ${nearest.join(', ')}.`);
}

/** The message of a form's field: a command has one field only. */
function explained(error: unknown, key: SettingKey): unknown {
  const fields = isAppError(error) ? error.fields : undefined;
  const message = fields?.[key]?.[0];
  return message ? new AppError('invalid_input', message) : error;
}
