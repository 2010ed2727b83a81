import { parse as parseToml, TomlError } from 'smol-toml';
import { parseDocument, stringify as stringifyYaml, YAMLParseError } from 'yaml';
import * as z from 'zod';
import { messageOf, type AppError, invalidInput } from '#app/platform/errors.ts';
import { parseJson } from '#app/platform/json.ts';
import { requireFlat } from '#app/platform/text/yaml.ts';

type Syntax = 'toml' | 'yaml';

/** The values of a front matter, and what of it could not be read as it is written. */
interface FrontMatterValues {
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
function parseValues(source: string, syntax: Syntax): unknown {
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
function readEntries(source: string, syntax: Syntax): FrontMatterValues | null {
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

const jsonObject = z.record(z.string(), z.unknown());

/** `data` is empty without a front matter. */
export interface FrontMatter extends FrontMatterValues {
  /** The text after it, without the blank line before and the line end after, which `writeFrontMatter` adds. */
  body: string;
}

/**
 * Splits a Markdown file into its front matter and its text. The former is YAML between `---` lines, TOML between `+++`
 * lines or a JSON object (Hugo). One value that cannot be read does not prevent reading the others.
 * @throws AppError `invalid_input` for front matter that cannot be read.
 */
export function readFrontMatter(file: string): FrontMatter {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const fence = /^(---|\+\+\+)[ \t]*\n/.exec(text);
  if (!fence) return readJsonObject(text) ?? { ...valuesOf({}), body: withoutEnds(text) };
  const isToml = fence[1] === '+++';
  // The patterns match line ends instead of `^` and `$`, which match at U+2028 too.
  const rest = text.slice(fence[0].length - 1);
  const end = (isToml ? /\n\+\+\+[ \t]*(?=\n|$)/ : /\n(?:---|\.\.\.)[ \t]*(?=\n|$)/).exec(rest);
  const source = rest.slice(1, end ? end.index + 1 : undefined);
  // A text may begin with a rule, and have another one.
  if (isText(source)) return { ...valuesOf({}), body: withoutEnds(text) };
  if (!end) throw unreadable('it has no end');
  const body = rest.slice(end.index + end[0].length).replace(/^\n/, '');
  return { ...parseData(source, isToml ? 'toml' : 'yaml'), body: withoutEnds(body) };
}

/** True for lines none of which is a comment or can be a name with a value. */
function isText(source: string): boolean {
  return /\S/.test(source) && !/^[ \t]*#|[:=](?:[ \t]|$)/m.test(source);
}

/** The front matter and text of a file that begins with a JSON object; null without front matter in JSON. */
function readJsonObject(text: string): FrontMatter | null {
  if (!/^\{\s*"/.test(text)) return null;
  // The object is one line, or ends with a line that begins with its brace.
  const end = /^\{.*\}[ \t]*(?=\n|$)|\n\}[ \t]*(?=\n|$)/.exec(text);
  if (!end) return null;
  const after = end.index + end[0].length;
  const source = text.slice(0, after);
  const parsed = jsonObject.safeParse(parseJson(source) ?? parseLooseJson(source));
  if (!parsed.success || !('title' in parsed.data || 'date' in parsed.data)) return null;
  return { ...valuesOf(parsed.data), body: withoutEnds(text.slice(after).replace(/^\n/, '')) };
}

/** Adds the opening `---` line to a file of Hexo, which does not need one. */
export function withOpeningLine(file: string): string {
  const isOpen = /^\uFEFF?(?:[\w-]+:.*\r?\n|[ \t]+.*\r?\n|- .*\r?\n)+---[ \t]*\r?\n/.exec(file);
  return isOpen && /^(?:title|date):/m.test(isOpen[0]) ? `---\n${file.replace(/^\uFEFF/, '')}` : file;
}

/** Writes a file from which `readFrontMatter` reads the same values and text. Leaves out empty values. */
export function writeFrontMatter({ data, body }: Pick<FrontMatter, 'data' | 'body'>): string {
  const entries = Object.entries(data).filter(
    ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return `---\n${stringifyYaml(Object.fromEntries(entries), { lineWidth: 0 })}---\n\n${body}\n`;
}

/** YAML's own form of an object also allows a comma at its end; JSON does not. */
function parseLooseJson(source: string): unknown {
  try {
    return parseValues(source, 'yaml');
  } catch {
    return null;
  }
}

function parseData(source: string, syntax: Syntax): FrontMatterValues {
  let data: unknown;
  try {
    data = parseValues(source, syntax);
  } catch (error) {
    const values = isSyntaxError(error) ? readEntries(source, syntax) : null;
    if (values) return values;
    throw unreadable(messageOf(error));
  }
  if (data === null || data === undefined) return valuesOf({});
  if (!isTable(data)) throw unreadable('it is not a list of names and values');
  return valuesOf(data);
}

/** False for values that are refused although their syntax is right, such as too many aliases. */
function isSyntaxError(error: unknown): boolean {
  return error instanceof YAMLParseError || error instanceof TomlError;
}

function valuesOf(data: Record<string, unknown>): FrontMatterValues {
  return { data, warnings: [], uncertain: [] };
}

function withoutEnds(body: string): string {
  return body.replace(/^\n/, '').replace(/\n$/, '');
}

function unreadable(why: string): AppError {
  return invalidInput(`The front matter cannot be read: ${why}.`.replace(/\.\.$/, '.'));
}
