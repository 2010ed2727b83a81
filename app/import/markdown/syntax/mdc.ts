import { calloutKind } from '#app/import/html/callouts.ts';
import { serviceAddress, type TagArguments } from '#app/import/html/media-address.ts';
import { calloutOfTag, isCalloutTag, argumentsOf, pictureOf, type TransformContext } from './tag-values.ts';

interface Block {
  marks: string;
  opening: string;
  name: string;
  written: string;
  lines: string[];
}

const open = /^[ \t]*(:{2,})([a-z][\w-]*)(?:\[([^\]\n]*)\])?(?:\{(.*)\})?[ \t]*$/i;
const close = /^[ \t]*(:{2,})[ \t]*$/;
const inline = /(?<![\w:/]):([a-z][\w-]*)(?:\[([^[\]\n]*)\](?:\{([^{}\n]*)\})?|\{([^{}\n]*)\})/gi;
/** Components that only group others: nothing is lost without them. */
const group = /^(code-group|card-group|tabs|steps|accordion|field-group|div|section|block)$/;

/**
 * Replaces Nuxt Content's `::name{a="b"} … ::` by Markdown or call-outs, and `:name[text]{…}`. Removes `{…}` after
 * links.
 */
export function readMdc(text: string, context: TransformContext): string {
  const leftOut = new Set<string>();
  const root: string[] = [];
  const stack: Block[] = [];
  const linesOf = (depth: number) => stack[depth]?.lines ?? root;
  for (const line of text.split('\n')) {
    const [, marks, name, label, written] = open.exec(line) ?? [];
    const closed = close.exec(line)?.[1];
    const depth = closed === undefined ? -1 : stack.findLastIndex((block) => block.marks === closed);
    if (marks !== undefined)
      stack.push({ marks, opening: line, name: name!, written: written ?? '', lines: label ? [label] : [] });
    else if (depth >= 0) {
      flatten(stack, depth);
      const block = stack.pop()!;
      linesOf(depth - 1).push('', ...blockOf(block, leftOut, context).split('\n'), '');
    } else linesOf(stack.length - 1).push(line);
  }
  flatten(stack, 0);
  const unclosed = stack.pop();
  if (unclosed) root.push(unclosed.opening, ...unclosed.lines);
  const read = root
    .join('\n')
    .replace(inline, (_, name: string, label: string | undefined, ...written: (string | undefined)[]) => {
      const shown = tagOf(name, argumentsOf(written[0] ?? written[1] ?? ''));
      if (shown === null && !/icon/i.test(name)) leftOut.add(`:${name}`);
      return shown ?? label ?? '';
    })
    .replace(/(?<=[)*_`>\uFDD1])\{[^{}\n]*[=][^{}\n]*\}/g, '')
    .replace(/(?<!!)\[([^[\]\n]+)\]\{[^{}\n]*\}/g, '$1');
  for (const part of leftOut) context.warn(`${part} was left out: components do not run here.`);
  return read;
}

/** Closes the unclosed blocks above a depth: their lines move to the block around them. */
function flatten(stack: Block[], depth: number): void {
  while (stack.length > depth + 1) {
    const { opening, lines } = stack.pop()!;
    stack.at(-1)!.lines.push(opening, ...lines);
  }
}

function blockOf({ name, written, lines }: Block, leftOut: Set<string>, context: TransformContext): string {
  const { props, inner } = withProps(lines);
  const values = argumentsOf(written);
  const all = { plain: values.plain, named: { ...props, ...values.named } };
  const shown = tagOf(name, all);
  if (shown !== null) return shown;
  if (isCalloutTag(name) || calloutKind(name) !== null) return calloutOfTag(name, all, inner, context);
  if (!group.test(name)) leftOut.add(`::${name}`);
  const title = all.named.title ?? all.named.label ?? '';
  return title === '' ? inner : `**${title}**\n\n${inner}`;
}

function tagOf(name: string, values: TagArguments): string | null {
  const { src, alt, caption } = values.named;
  if (src !== undefined && /\.(png|jpe?g|gif|webp|avif|svg)([?#]|$)/i.test(src))
    return pictureOf({ src, alt, caption });
  const address = serviceAddress(name.toLowerCase(), values);
  return address && `\n\n<${address}>\n\n`;
}

/**
 * The values between `---` at the beginning of a block, and its other lines without names of slots and without indent.
 */
function withProps(lines: string[]): { props: Record<string, string>; inner: string } {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)![0].length);
  const indent = Math.min(...depths, 100);
  const plain = lines.map((line) => line.slice(Math.min(indent, /^[ \t]*/.exec(line)![0].length)));
  const end = plain[0] === '---' ? plain.indexOf('---', 1) : -1;
  const propLines = end < 0 ? [] : plain.slice(1, end);
  const props = propLines.flatMap((line) => {
    const [, name, value] = /^([\w-]+):[ \t]*["']?(.*?)["']?[ \t]*$/.exec(line) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), value!] as const];
  });
  const inner = plain.slice(end + 1).filter((line) => !/^#[a-z][\w-]*[ \t]*$/.test(line));
  return { props: Object.fromEntries(props), inner: inner.join('\n').trim() };
}
