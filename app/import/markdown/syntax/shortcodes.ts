import { calloutKind } from '#app/import/html/callouts.ts';
import { serviceAddress, type TagArguments } from '#app/import/html/media-address.ts';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import {
  calloutOfTag,
  isCalloutTag,
  argumentsOf,
  fence,
  pictureOf,
  warnUnsupported,
  type TransformContext,
} from './tag-values.ts';

const escapedOpen = /\{\{([<%])\/\*/g;
const escapedClose = /\*\/([>%])\}\}/g;
const hugoCodeOpen = /\{\{[<%]\s{0,9}(?:highlight|code)\b([^{}]{0,2000})[>%]\}\}/g;
const hugoCodeClose = /\{\{[<%]\s{0,9}\/\s{0,9}(?:highlight|code)\s{0,9}[>%]\}\}/g;
const hugoSingle = /\{\{[<%]\s{0,9}\/?\s{0,9}([\w/.-]{1,200})([^{}]{0,4000})[>%]\}\}/g;

const calloutNames =
  'notice|alert|hint|callout|admonition|note|tip|info|warning|important|caution|danger|details';
const hugoCalloutOpen = new RegExp(
  String.raw`\{\{[<%]\s{0,9}(${calloutNames})\b([^{}]{0,2000})[>%]\}\}`,
  'g',
);

function hugoEndOf(name: string): RegExp {
  return new RegExp(String.raw`\{\{[<%]\s{0,9}/\s{0,9}${name}\s{0,9}[>%]\}\}`, 'g');
}

/** Hugo's own shortcodes as Markdown, and those for call-outs that most themes have. Keeps other shortcodes as text. */
export function readHugoShortcodes(text: string, context: TransformContext): string {
  const unsupported = new Set<string>();
  const shown = replacePairs(
    text,
    escapedOpen,
    () => escapedClose,
    ([, open], inner, [, close]) => context.verbatim.add(`{{${open} ${inner.trim()} ${close}}}`),
  );
  const withCode = replacePairs(
    shown,
    hugoCodeOpen,
    () => hugoCodeClose,
    ([, written], inner) => {
      const { named, plain } = argumentsOf(written!);
      const lines = named.hl_lines ?? /hl_lines\s*=\s*\[?([\d,\s"-]+)/.exec(written!)?.[1];
      const title = named.title ?? named.filename ?? named.file;
      return fence(inner, named.lang ?? named.language ?? plain[0] ?? '', context, { title, lines });
    },
  );
  const withCallouts = replacePairs(
    withCode,
    hugoCalloutOpen,
    ([, name]) => hugoEndOf(name!),
    ([, name, written], inner) => calloutOfTag(name!, argumentsOf(written!), inner, context),
  );
  const read = withCallouts.replace(hugoSingle, (whole: string, name: string, written: string) => {
    const replaced = readShortcode(name, argumentsOf(written.replace(/\s*\/?\s*$/, '')), context);
    if (replaced === null) unsupported.add(name);
    return replaced ?? whole;
  });
  warnUnsupported(unsupported, 'shortcode', context);
  return read;
}

const zolaOpen = /\{%\s{0,9}(\w{1,200})\(([^)]{0,4000})\)\s{0,9}%\}/g;
const zolaClose = /\{%\s{0,9}end\s{0,9}%\}/g;
const zolaSingle = /\{\{\s{0,9}(\w{1,200})\(([^)]{0,4000})\)\s{0,9}\}\}/g;

/**
 * Zola's shortcodes: films and pictures become Markdown. Of paired ones the text between them stays; others stay as
 * text.
 */
export function readZolaShortcodes(text: string, context: TransformContext): string {
  const unsupported = new Set<string>();
  const unpaired = replacePairs(
    text,
    zolaOpen,
    () => zolaClose,
    ([, name, written], inner) => {
      if (
        isCalloutTag(name!) ||
        (calloutKind(name!) !== null && !/^(quote|cite|example|summary)$/.test(name!))
      )
        return calloutOfTag(name!, argumentsOf(written ?? ''), inner, context);
      context.warn(`Of the shortcode “${name}” only the text stays.`);
      return `\n\n${inner.trim()}\n\n`;
    },
  );
  const read = unpaired.replace(zolaSingle, (whole: string, name: string, written: string) => {
    const replaced = readShortcode(name, argumentsOf(written), context);
    if (replaced === null) unsupported.add(name);
    return replaced ?? whole;
  });
  warnUnsupported(unsupported, 'shortcode', context);
  return read;
}

function readShortcode(name: string, values: TagArguments, context: TransformContext): string | null {
  const { named, plain } = values;
  switch (name) {
    case 'ref':
    case 'relref': {
      const target = named.path ?? plain[0] ?? '';
      const [name = '', ...fragment] = target.split(/(?=#)/);
      const address = context.postAt(target) ?? context.postNamed(name.replace(/^.*\//, ''));
      return address?.includes('#') ? address : address && address + fragment.join('');
    }
    case 'figure':
    case 'image':
    case 'img':
    case 'resize_image': {
      const src = named.src ?? named.path ?? named.url ?? plain[0];
      if (src === undefined) return null;
      const picture = pictureOf({ src, alt: named.alt, caption: captionOf(named) });
      return `\n\n${named.link === undefined ? picture : `[${picture}](${named.link})`}\n\n`;
    }
    default: {
      const address = serviceAddress(name, values);
      return address && `\n\n<${address}>\n\n`;
    }
  }
}

/** Hugo shows title, caption and attribution below one another. */
function captionOf({ title, caption, attr }: Record<string, string>): string | undefined {
  const parts = [title, caption, attr].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : parts.join(' · ');
}
