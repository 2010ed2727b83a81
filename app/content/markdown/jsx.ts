import { replacePairs } from './replace-pairs.ts';
import { calloutOfTag } from './callout-tags.ts';
import { argumentsOf, embedAddress, pictureOf, type TransformContext } from './tag-values.ts';

const imports = /^import\s+(?:[\w*{][^'"]*?\sfrom\s+)?["'][^"'\n]+["'];?[ \t]*\n?/gm;
const exports = /^export\s+(?:default|const|let|var|function)\b[^\n]*\n?/gm;
const commentOpen = /\{\/\*/g;
const commentClose = /\*\/\}/g;
const tag = /<(\/?)([A-Z][\w.]*)((?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^"'{}<>])*?)(\/?)>/g;

const calloutOpen =
  /<(Admonition|Aside|Callout|Alert|Note|Tip|Info|Important|Warning|Caution|Danger)((?:\s(?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^"'{}<>/])*)?)>/g;

/** Without the white space that all lines begin with, which would make code of them. */
function outdented(text: string): string {
  const depths = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)![0].length);
  const least = Math.min(...depths, 100);
  return text.replace(/^[ \t]*/gm, (start) => start.slice(Math.min(least, start.length)));
}

/** MDX as Markdown: imports and exports go, of components their children stay; pictures and films become Markdown. */
export function readJsx(text: string, context: TransformContext): string {
  const left = new Set<string>();
  const isModule = text.search(imports) >= 0 || text.search(exports) >= 0;
  const plain = text.replace(imports, '').replace(exports, (line) => {
    left.add(line.trim().slice(0, 60));
    return '';
  });
  const withCallouts = replacePairs(
    plain,
    calloutOpen,
    ([, name]) => new RegExp(`</${name}\\s*>`, 'g'),
    ([, name, written], inner) => calloutOfTag(name!, argumentsOf(written!), outdented(inner), context),
  );
  const read = replacePairs(
    withCallouts,
    commentOpen,
    () => commentClose,
    () => '',
  ).replace(tag, (_, slash: string, name: string, written: string) => {
    if (slash !== '') return '';
    const replaced = readComponent(name, argumentsOf(written));
    if (replaced === null) left.add(`<${name}>`);
    return replaced ?? '';
  });
  for (const one of left) context.warn(`${one} was left out: components do not run here.`);
  return isModule ? read.replace(/^\n+/, '') : read;
}

function readComponent(name: string, values: ReturnType<typeof argumentsOf>): string | null {
  const { src, alt, caption, title } = values.named;
  if (src !== undefined && /\.(png|jpe?g|gif|webp|avif|svg)([?#]|$)/i.test(src))
    return pictureOf({ src, alt, caption: caption ?? title });
  const address = embedAddress(name.toLowerCase(), values);
  return address && `\n\n<${address}>\n\n`;
}
