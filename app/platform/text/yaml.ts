import { parse } from 'yaml';
import { type AppError, invalidInput } from '#app/platform/errors.ts';

const DEPTH_MAX = 100;

/**
 * Reads a file of YAML.
 * @throws AppError `invalid_input` for one that is nested too deeply; YAMLParseError
 */
export function parseYaml(source: string): unknown {
  requireFlat(source);
  // The limit on aliases stops files that expand without bounds.
  return parse(source, { maxAliasCount: 50 }) as unknown;
}

/**
 * Refuses nesting that no author writes: the parsers call themselves for each level, and V8 ends the process where it
 * compiles a regular expression at the end of the stack. Brackets in texts count, too.
 * @throws AppError `invalid_input`
 */
export function requireFlat(source: string): void {
  const indents: number[] = [];
  let open = 0;
  for (const line of source.split('\n')) {
    for (const character of line) {
      if (character === '[' || character === '{') open += 1;
      else if (character === ']' || character === '}') open = Math.max(0, open - 1);
      if (open > DEPTH_MAX) throw tooDeep();
    }
    const [lead] = /^[-?: \t]*/.exec(line)!;
    if (lead.length === line.length) continue;
    while (indents.length > 0 && indents.at(-1)! >= lead.length) indents.pop();
    indents.push(lead.length);
    const markers = lead.match(/[-?:][ \t]/g)?.length ?? 0;
    if (indents.length > DEPTH_MAX || markers > DEPTH_MAX) throw tooDeep();
  }
}

function tooDeep(): AppError {
  return invalidInput('it is nested too deeply');
}
