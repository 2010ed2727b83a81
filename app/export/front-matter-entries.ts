import { parse as parseToml } from 'smol-toml';
import { parseDocument } from 'yaml';
import { messageOf } from '#app/platform/errors.ts';
import { requireFlat } from '#app/platform/text/yaml.ts';

export type Syntax = 'toml' | 'yaml';

/** The values of a front matter, and what of it could not be read as it is written. */
export interface FrontMatterValues {
  data: Record<string, unknown>;
  warnings: string[];
  /** Names whose value is uncertain: it cannot be read, or the front matter has several. */
  uncertain: string[];
}

// Dates and numbers stay as they are written: the tag `3.10` is not `3.1`.
const asWritten: (string | RegExp)[] = ['int', 'float', /:(?:int|float)$/];

/**
 * Reads a whole front matter.
 * @throws an error that says why it cannot be read
 */
export function parseValues(source: string, syntax: Syntax): unknown {
  requireFlat(source);
  if (syntax === 'toml') return parseToml(source);
  const document = parseDocument(source, {
    logLevel: 'error',
    customTags: (tags) =>
      tags.filter((tag) => {
        const name = typeof tag === 'string' ? tag : tag.tag;
        return !asWritten.some((one) => (typeof one === 'string' ? one === name : one.test(name)));
      }),
  });
  const [error] = document.errors;
  if (error) throw error;
  // The limit on aliases stops files that expand without bounds.
  return document.toJS({ maxAliasCount: 50 }) as unknown;
}

/**
 * Reads a front matter that cannot be read as a whole, one value after the other: `title: Part 2: the sea`, a tab before
 * a list, a name that it has twice. Null if it has no value that can be read.
 */
export function readEntries(source: string, syntax: Syntax): FrontMatterValues | null {
  const values: FrontMatterValues = { data: {}, warnings: [], uncertain: [] };
  const warn = (name: string, problem: string) => {
    values.uncertain.push(name);
    values.warnings.push(`The front matter's “${name}” ${problem}`);
  };
  for (const entry of entriesOf(source, syntax)) {
    const { name } = entry;
    const read = readEntry(entry, syntax, (problem) => warn(name, problem));
    if (read === null) continue;
    if (entry.table === '' && Object.hasOwn(values.data, name))
      warn(name, 'is there twice: the last one counts.');
    values.data = merged(values.data, read);
  }
  return Object.keys(values.data).length === 0 ? null : values;
}

interface Entry {
  name: string;
  /** TOML: the line of the table that contains it, such as `[taxonomies]`; blank at the top. */
  table: string;
  /** What is behind its name, on the same line. */
  rest: string;
  /** The further lines. */
  lines: string[];
}

const starts: Record<Syntax, RegExp> = {
  yaml: /^(?:"([^"]+)"|'([^']+)'|([^\s#:[\]{},&*!|>'"%@`-][^:]*?))[ \t]*:(?:[ \t]+(.*))?$/,
  toml: /^(?:"([^"]+)"|'([^']+)'|([\w-]+))[ \t]*=[ \t]*(.*)$/,
};

function entriesOf(source: string, syntax: Syntax): Entry[] {
  const entries: Entry[] = [];
  let table = '';
  for (const line of source.split('\n')) {
    if (syntax === 'toml' && /^[ \t]*\[\[?[^\]=]+\]\]?[ \t]*(?:#.*)?$/.test(line)) {
      table = line.trim();
      continue;
    }
    const [, double, single, plain, rest = ''] = starts[syntax].exec(line.trimEnd()) ?? [];
    const name = double ?? single ?? plain;
    if (name !== undefined) entries.push({ name, table, rest, lines: [] });
    else entries.at(-1)?.lines.push(line);
  }
  return entries;
}

function readEntry(
  { name, table, rest, lines }: Entry,
  syntax: Syntax,
  warn: (problem: string) => void,
): Record<string, unknown> | null {
  const key = JSON.stringify(name);
  const indented = lines.map((line) => line.replace(/^[ \t]+/, (white) => white.replaceAll('\t', '  ')));
  const written =
    syntax === 'toml'
      ? `${table}\n${key} = ${[rest, ...lines].join('\n')}`
      : `${key}: ${[rest, ...indented].join('\n')}`;
  try {
    return parseValues(written, syntax) as Record<string, unknown>;
  } catch (error) {
    const text = textOf(rest, lines);
    if (text === null) {
      warn(`cannot be read and was left out: ${messageOf(error).split('\n')[0]!.replace(/[.:]$/, '')}.`);
      return null;
    }
    warn('cannot be read and was taken as text.');
    const value = JSON.stringify(text);
    return parseValues(
      syntax === 'toml' ? `${table}\n${key} = ${value}` : `${key}: ${value}`,
      syntax,
    ) as Record<string, unknown>;
  }
}

/** A value as its author means it; null for one that has parts, or an end that is missing. */
function textOf(rest: string, lines: string[]): string | null {
  const further = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  const isOpen = /^\[[^\]]*$|^\{[^}]*$|^[|>&*!]/.test(rest);
  if (rest === '' || isOpen || further.some((line) => /^- |^\w+:(?: |$)/.test(line))) return null;
  const text = [rest, ...further].join(' ');
  return text.replace(/^(["'])(.*)\1$/s, '$2').replace(/^["'](?=[^"']*$)/, '');
}

function merged(data: Record<string, unknown>, more: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(more).map(([name, value]) => {
    const present = Object.hasOwn(data, name) ? data[name] : undefined;
    return [name, isTable(present) && isTable(value) ? merged(present, value) : value] as const;
  });
  return Object.fromEntries([...Object.entries(data), ...entries]);
}

/** A table of values, as opposed to a list, a date or a single value. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
