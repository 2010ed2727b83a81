import {
  argumentsOf,
  embedAddress,
  fence,
  pictureOf,
  warnOfKept,
  type TransformContext,
} from './tag-values.ts';

const escaped = /\{\{([<%])\/\*\s*([\s\S]*?)\s*\*\/([>%])\}\}/g;
const hugoCode =
  /\{\{[<%]\s*(?:highlight|code)\b([^{}]*?)\s*[>%]\}\}([\s\S]*?)\{\{[<%]\s*\/\s*(?:highlight|code)\s*[>%]\}\}/g;
const hugoSingle = /\{\{[<%]\s*(\/?)\s*([\w/.-]+)\s*((?:[^{}])*?)\s*\/?\s*[>%]\}\}/g;

/** Hugo's own shortcodes as Markdown; those of themes are kept as text. */
export function readHugoShortcodes(text: string, context: TransformContext): string {
  const kept = new Set<string>();
  const read = text
    .replace(escaped, (_, open: string, inner: string, close: string) =>
      context.verbatim.add(`{{${open} ${inner} ${close}}}`),
    )
    .replace(hugoCode, (_, written: string, inner: string) => {
      const { named, plain } = argumentsOf(written);
      return fence(inner, named.lang ?? named.language ?? plain[0] ?? '', context);
    })
    .replace(hugoSingle, (whole: string, _slash, name: string, written: string) => {
      const replaced = readShortcode(name, argumentsOf(written), context);
      if (replaced === null) kept.add(name);
      return replaced ?? whole;
    });
  warnOfKept(kept, 'shortcode', context);
  return read;
}

const zolaPair = /\{%\s*([\w]+)\(([^)]*)\)\s*%\}([\s\S]*?)\{%\s*end\s*%\}/g;
const zolaSingle = /\{\{\s*([\w]+)\(([^)]*)\)\s*\}\}/g;

/** Zola's shortcodes: films and pictures become Markdown, of paired ones the text stays, others are kept as text. */
export function readZolaShortcodes(text: string, context: TransformContext): string {
  const kept = new Set<string>();
  const read = text
    .replace(zolaPair, (_, name: string, _written, inner: string) => {
      context.warn(`Of the shortcode “${name}” only the text stays.`);
      return `\n\n${inner.trim()}\n\n`;
    })
    .replace(zolaSingle, (whole: string, name: string, written: string) => {
      const replaced = readShortcode(name, argumentsOf(written), context);
      if (replaced === null) kept.add(name);
      return replaced ?? whole;
    });
  warnOfKept(kept, 'shortcode', context);
  return read;
}

function readShortcode(
  name: string,
  values: ReturnType<typeof argumentsOf>,
  context: TransformContext,
): string | null {
  const { named, plain } = values;
  switch (name) {
    case 'ref':
    case 'relref': {
      const target = named.path ?? plain[0] ?? '';
      const [name = '', ...fragment] = target.split(/(?=#)/);
      const found = context.postAt(target) ?? context.postNamed(name.replace(/^.*\//, ''));
      return found?.includes('#') ? found : found && found + fragment.join('');
    }
    case 'figure':
    case 'image':
    case 'img':
    case 'resize_image': {
      const src = named.src ?? named.path ?? named.url ?? plain[0];
      if (src === undefined) return null;
      const picture = pictureOf({ src, alt: named.alt, caption: named.caption ?? named.title });
      return `\n\n${named.link === undefined ? picture : `[${picture}](${named.link})`}\n\n`;
    }
    default: {
      const address = embedAddress(name, values);
      return address && `\n\n<${address}>\n\n`;
    }
  }
}
