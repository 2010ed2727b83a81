import { TomlError } from 'smol-toml';
import { stringify as stringifyYaml, YAMLParseError } from 'yaml';
import * as z from 'zod';
import { AppError, messageOf } from '#app/platform/errors.ts';
import { parseJson } from '#app/platform/json.ts';
import {
  isTable,
  parseValues,
  readEntries,
  type FrontMatterValues,
  type Syntax,
} from './front-matter-entries.ts';

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
  return new AppError('invalid_input', `The front matter cannot be read: ${why}.`.replace(/\.\.$/, '.'));
}
