import type { TagArguments } from '#app/import/html/service-address.ts';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import { calloutOfTag } from './callout-tags.ts';
import { readComponent, readPlayerElements } from './jsx-components.ts';
import { argumentsOf, warnUnsupported, type TransformContext } from './tag-values.ts';

const imports = /^import\s+(?:[\w*{][^'"]{0,2000}?\sfrom\s+)?["'][^"'\n]+["'];?[ \t]*\n?/gm;
const exports = /^export\s+(?:default|const|let|var|function)\b[^\n]*\n?/gm;
/** `import photo from './photo.png'` */
const pictureImports = /^import\s+(\w+)\s+from\s+["']([^"'\n]+\.(?:png|jpe?g|gif|webp|avif|svg))["']/gm;
/** Scripts and styles of pages in Vue and Svelte, which show nothing. A script with an address may be an embed. */
const programOpen = /<(script|style)\b(?![^<>]*\ssrc\s*=)[^<>]*>/gi;
/** An element of HTML with an expression among its attributes. */
const element = /(<[a-z][\w-]*)((?:\s(?:"[^"]*"|'[^']*'|\{\{[^{}]*\}\}|\{[^{}]*\}|[^"'{}<>])*)?)(>)/g;
const commentOpen = /\{\/\*/g;
const commentClose = /\*\/\}/g;
const tag = /<(\/?)([A-Z][\w.]*)((?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^"'{}<>])*?)(\/?)>/g;

/** Components whose children are a separate text: call-outs, and parts with a label. */
const partOpen =
  /<(Admonition|Aside|Callout|Alert|Note|Tip|Info|Important|Warning|Caution|Danger|TabItem|Tab|Step|Card|Accordion|AccordionItem)((?:\s(?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^"'{}<>/])*)?)>/g;

/** Removes the white space at the beginning of all lines, which would make them code in Markdown. */
function outdented(text: string): string {
  const depths = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)![0].length);
  const indent = Math.min(...depths, 100);
  return text.replace(/^[ \t]*/gm, (start) => start.slice(Math.min(indent, start.length)));
}

/** MDX as Markdown: without imports and exports, components replaced by their children, pictures and films as Markdown. */
export function readJsx(text: string, context: TransformContext): string {
  const leftOut = new Set<string>();
  const shown = replacePairs(
    readPlayerElements(text),
    programOpen,
    ([, name]) => new RegExp(String.raw`</${name}\s*>[ \t]*\n?`, 'gi'),
    () => '',
  );
  const isModule = shown.search(imports) >= 0 || shown.search(exports) >= 0;
  const plain = shown.replace(imports, '').replace(exports, (line) => {
    leftOut.add(line.trim().slice(0, 60));
    return '';
  });
  const pictures = new Map(
    [...text.matchAll(pictureImports)].map(([, name, address]) => [name!, address!] as const),
  );
  const withParts = replacePairs(
    plain,
    partOpen,
    ([, name]) => new RegExp(`</${name}\\s*>`, 'g'),
    ([, name, written], inner) => {
      const values = argumentsOf(written!);
      if (!/^(Tab|Step|Card|Accordion)/.test(name!))
        return calloutOfTag(name!, values, outdented(inner), context);
      const { label, title, value } = values.named;
      const words = label ?? title ?? value ?? '';
      return `\n\n${words === '' ? '' : `**${words}**\n\n`}${outdented(inner)}\n\n`;
    },
  );
  const read = replacePairs(
    withParts,
    commentOpen,
    () => commentClose,
    () => '',
  )
    .replace(
      element,
      (_, start: string, written: string, end: string) =>
        start + asHtml(withAddresses(written, pictures)) + end,
    )
    .replace(tag, (_, slash: string, name: string, written: string) => {
      if (slash !== '') return '';
      const replaced = readComponent(name, valuesOf(withAddresses(written, pictures), context));
      if (replaced === null) leftOut.add(`<${name}>`);
      return replaced ?? '';
    });
  for (const part of leftOut) context.warn(`${part} was left out: components do not run here.`);
  return isModule ? read.replace(/^\n+/, '') : read;
}

/** The values of attributes, also of those in back quotes, which count as code until here. */
function valuesOf(written: string, { verbatim }: TransformContext): TagArguments {
  return argumentsOf(
    written.replace(/=\{\s*(\uFDD0\d+\uFDD1)\s*\}/g, (whole, mark: string) => {
      const value = /^`([^`"${]*)`$/.exec(verbatim.restore(mark))?.[1];
      return value === undefined ? whole : `="${value}"`;
    }),
  );
}

/**
 * Replaces expressions that contain an address: `{require('./a.png').default}`, `{useBaseUrl('/a.png')}`, `{photo}`.
 */
function withAddresses(written: string, pictures: ReadonlyMap<string, string>): string {
  return written.replace(
    /=\{\s*(?:(?:require|useBaseUrl)\(\s*["']([^"']+)["'][^{}]*|(\w+)(?:\.src)?\s*)\}/g,
    (whole, address, name) => {
      const picture = (address as string | undefined) ?? pictures.get(String(name));
      return picture === undefined ? whole : `="${picture}"`;
    },
  );
}

/** Attributes in HTML's form, without those that only a script could evaluate. */
function asHtml(written: string): string {
  return written
    .replace(
      /=\{\s*(?:"([^"{}]*)"|'([^'"{}]*)'|(\d+))\s*\}/g,
      (_, ...values: (string | undefined)[]) =>
        `="${values.find((one) => one !== undefined && typeof one === 'string') ?? ''}"`,
    )
    .replace(/\s[\w-]+=\{(?:\{[^{}]*\}|[^{}]*)\}/g, '')
    .replace(/\sclassName=/g, ' class=');
}

const mathsOrBrace = /\$\$[\s\S]*?\$\$|\$[^\s$](?:[^$\n]*[^\s$])?\$|[{}]/g;

/** Replaces `{expressions}` of MDX that are a text by the text. Keeps any other, and names it in a warning. */
export function readExpressions(text: string, context: TransformContext): string {
  const unsupported = new Set<string>();
  let read = '';
  let done = 0;
  let depth = 0;
  let start = 0;
  for (const { 0: sign, index } of text.matchAll(mathsOrBrace)) {
    if (sign === '{' && depth++ === 0) start = index;
    if (sign !== '}' || depth === 0 || --depth > 0) continue;
    const inner = context.verbatim.restore(text.slice(start + 1, index)).trim();
    const [, ...texts] = /^(?:"([^"]*)"|'([^']*)'|`([^`$]*)`)$/.exec(inner) ?? [];
    const literal = texts.find((candidate) => candidate !== undefined);
    // `## Heading {#id}`
    const isUnsupported = literal === undefined && !inner.startsWith('#') && inner !== '';
    if (isUnsupported) unsupported.add(`{${inner.slice(0, 60)}}`);
    read += text.slice(done, start) + (literal ?? text.slice(start, index + 1));
    done = index + 1;
  }
  warnUnsupported(unsupported, 'expression', context);
  return read + text.slice(done);
}
