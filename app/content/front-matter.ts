import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml';
import * as z from 'zod';
import { AppError, messageOf } from '#app/platform/errors.ts';
import { parseJson } from '#app/platform/json.ts';

const jsonObject = z.record(z.string(), z.unknown());

export interface FrontMatter {
  /** The values of the front matter; empty without one. */
  data: Record<string, unknown>;
  /** The text after it, without the blank line before and the line end after, which `writeFrontMatter` adds. */
  body: string;
}

/**
 * Splits a Markdown file into its front matter and its text. The former is YAML between `---` lines, TOML between `+++`
 * lines or a JSON object (Hugo).
 * @throws AppError `invalid_input` for front matter that cannot be read.
 */
export function readFrontMatter(file: string): FrontMatter {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const fence = /^(---|\+\+\+)[ \t]*\n/.exec(text);
  if (!fence) return readJsonObject(text) ?? { data: {}, body: withoutEnds(text) };
  const isToml = fence[1] === '+++';
  // The patterns match line ends instead of `^` and `$`, which match at U+2028 too.
  const rest = text.slice(fence[0].length - 1);
  const end = (isToml ? /\n\+\+\+[ \t]*(?=\n|$)/ : /\n(?:---|\.\.\.)[ \t]*(?=\n|$)/).exec(rest);
  if (!end) throw unreadable('it has no end');
  const source = rest.slice(1, end.index + 1);
  const body = rest.slice(end.index + end[0].length).replace(/^\n/, '');
  return { data: parseData(source, isToml ? 'toml' : 'yaml'), body: withoutEnds(body) };
}

/** The front matter and text of a file that begins with a JSON object; null without front matter in JSON. */
function readJsonObject(text: string): FrontMatter | null {
  if (!/^\{\s*"/.test(text)) return null;
  // The object is one line, or ends with a line that begins with its brace.
  const end = /^\{.*\}[ \t]*(?=\n|$)|\n\}[ \t]*(?=\n|$)/.exec(text);
  if (!end) return null;
  const after = end.index + end[0].length;
  const parsed = jsonObject.safeParse(parseJson(text.slice(0, after)));
  if (!parsed.success || !('title' in parsed.data || 'date' in parsed.data)) return null;
  return { data: parsed.data, body: withoutEnds(text.slice(after).replace(/^\n/, '')) };
}

/** Adds the opening `---` line to a file of Hexo, which does not need one. */
export function withOpeningLine(file: string): string {
  const isOpen = /^\uFEFF?(?:[\w-]+:.*\r?\n|[ \t]+.*\r?\n|- .*\r?\n)+---[ \t]*\r?\n/.exec(file);
  return isOpen && /^(?:title|date):/m.test(isOpen[0]) ? `---\n${file.replace(/^\uFEFF/, '')}` : file;
}

/** Writes a file from which `readFrontMatter` reads the same values and text. Leaves out empty values. */
export function writeFrontMatter({ data, body }: FrontMatter): string {
  const entries = Object.entries(data).filter(
    ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return `---\n${stringifyYaml(Object.fromEntries(entries), { lineWidth: 0 })}---\n\n${body}\n`;
}

function parseData(source: string, syntax: 'toml' | 'yaml'): Record<string, unknown> {
  let data: unknown;
  try {
    // The core schema leaves dates as text. The limit on aliases stops files that expand without bounds.
    data =
      syntax === 'toml' ? parseToml(source) : parseYaml(source, { maxAliasCount: 50, logLevel: 'error' });
  } catch (error) {
    throw unreadable(messageOf(error));
  }
  if (data === null || data === undefined) return {};
  if (typeof data !== 'object' || Array.isArray(data))
    throw unreadable('it is not a list of names and values');
  return data as Record<string, unknown>;
}

function withoutEnds(body: string): string {
  return body.replace(/^\n/, '').replace(/\n$/, '');
}

function unreadable(why: string): AppError {
  return new AppError('invalid_input', `The front matter cannot be read: ${why}.`.replace(/\.\.$/, '.'));
}
