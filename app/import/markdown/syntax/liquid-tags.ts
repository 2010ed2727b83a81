import { serviceAddress } from '#app/import/html/media-address.ts';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import {
  calloutOfTag,
  argumentsOf,
  fence,
  pictureOf,
  warnUnsupported,
  type TransformContext,
} from './tag-values.ts';

/** Replaces pairs of tags and their content: `{% raw %} … {% endraw %}`. @param names alternatives of a regular expression */
function replaceTags(
  text: string,
  names: string,
  replace: (name: string, written: string, inner: string) => string,
): string {
  const open = new RegExp(String.raw`\{%-?\s{0,9}(${names})\b([^%]{0,2000})%\}`, 'g');
  const close = new Map<string, RegExp>();
  const closeOf = (name: string) => {
    const closing = close.get(name) ?? new RegExp(String.raw`\{%-?\s{0,9}end${name}\s{0,9}-?%\}`, 'g');
    close.set(name, closing);
    return closing;
  };
  return replacePairs(
    text,
    open,
    ([, name]) => closeOf(name!),
    ([, name, written], inner) => replace(name!, written!.replace(/-$/, ''), inner),
  );
}

const singleOpen = /\{%-?\s{0,9}([\w-]+)/g;
const singleClose = /-?%\}/g;
const output = /\{\{-?([^{}]{0,2000})\}\}/g;

/** Converts the Liquid and Nunjucks tags of Jekyll, Hexo and Eleventy to Markdown. Unknown tags stay, with a warning each. */
export function readLiquid(text: string, context: TransformContext): string {
  const { verbatim } = context;
  const unsupported = new Set<string>();
  let read = replaceTags(text, 'raw', (_name, _written, inner) => verbatim.add(verbatim.restore(inner)));
  read = replaceTags(read, 'capture', () => '');
  read = replaceTags(read, 'highlight|codeblock|code', (_name, written, inner) => {
    const { named, plain } = argumentsOf(written);
    // Hexo: `{% codeblock app.js lang:js mark:1,4-7 %}`; Jekyll: `{% highlight js linenos mark_lines="1 4" %}`.
    const isHexo = named.lang !== undefined;
    const words = plain.filter((argument) => !argument.startsWith('linenos') && !/^https?:/.test(argument));
    const lines = named.mark_lines ?? /\bmark:([\d,-]+)/.exec(written)?.[1];
    const notes = { title: isHexo ? words.filter((word) => !/^[\d-]+$/.test(word)).join(' ') : '', lines };
    return fence(inner, named.lang ?? words[0] ?? '', context, notes);
  });
  read = replaceTags(read, 'blockquote|quote|pullquote', (name, written, inner) => {
    // The arguments of a pull quote are CSS classes; those of a quotation are author, work, address and the address's title.
    const by = name === 'pullquote' ? '' : written.trim();
    const named = by.replace(
      /\s*(https?:\/\/[^\s<>()]+)(?:\s+(.+))?$/,
      (_, address: string, title?: string) => ` [${title ?? address}](${address})`,
    );
    const source = by === '' ? [] : ['', `— ${named.trim()}`];
    const lines = [...inner.trim().split('\n'), ...source];
    return `\n\n${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n`;
  });
  read = replaceTags(read, 'note|details', (name, written, inner) => {
    // NexT, a theme of Hexo: `{% note info no-icon Title %}`.
    const { named, plain } = argumentsOf(written.replace(/\b(no-icon|flat|simple|modern|disabled)\b/g, ''));
    return calloutOfTag(name, { named, plain }, inner, context);
  });
  read = replacePairs(
    read,
    singleOpen,
    () => singleClose,
    ([start, name], inner, [end]) => {
      const replaced = readTag(name!, inner.trim(), context);
      if (replaced === null) unsupported.add(name!);
      return replaced ?? start + inner + end;
    },
  );
  read = read.replace(output, (whole: string, inner: string) => {
    const expression = inner.replace(/-$/, '').trim();
    const replaced = readOutput(expression);
    if (replaced === null) unsupported.add(expression);
    return replaced ?? whole;
  });
  warnUnsupported(unsupported, 'tag', context);
  return read;
}

function readTag(name: string, written: string, context: TransformContext): string | null {
  const values = argumentsOf(written);
  const { named, plain } = values;
  switch (name) {
    case 'post_url':
      return context.postNamed(written.replace(/^.*\//, ''));
    case 'link': {
      // Hexo: `{% link text https://example.org true title %}`.
      const [, label, address] = /^(.*?)\s+((?:https?:\/\/|\/)\S+)/.exec(written) ?? [];
      if (address !== undefined) return `[${label}](${address})`;
      return context.postAt(`/${written}`) ?? context.postNamed(written.replace(/^.*\//, ''));
    }
    case 'post_path':
      return context.postNamed(plain[0] ?? '');
    case 'iframe':
      return linkTo(/^https?:\/\/\S+/.exec(written)?.[0] ?? null);
    case 'asset_link': {
      const [file = '', ...words] = plain;
      return `[${words.join(' ') || file}](${context.fileNamed(file) ?? file})`;
    }
    case 'post_link': {
      const address = context.postNamed(plain[0] ?? '');
      return address && `[${plain.slice(1).join(' ') || plain[0]}](${address})`;
    }
    case 'asset_img':
    case 'img': {
      const file = plain.find((argument) => /\.\w{3,4}$/.test(argument));
      if (file === undefined) return null;
      const src = name === 'img' ? file : (context.fileNamed(file) ?? file);
      const [, caption, description] = /"([^"]*)"\s+"([^"]*)"\W*$/.exec(written) ?? [];
      if (description !== undefined) return pictureOf({ src, alt: description, caption });
      const words = plain.slice(plain.indexOf(file) + 1).filter((argument) => !/^\d+%?$/.test(argument));
      return pictureOf({ src, alt: words.join(' ') });
    }
    case 'asset_path':
      return context.fileNamed(plain[0] ?? '') ?? plain[0] ?? null;
    case 'include':
    case 'include_relative': {
      const src = named.src ?? named.url ?? named.image_path ?? named.image ?? named.file ?? named.path;
      if (src !== undefined && /\.(png|jpe?g|gif|webp|avif|svg)$/i.test(src))
        return pictureOf({ src, alt: named.alt, caption: named.caption ?? named.description });
      // `include youtubePlayer.html id="x"`, `include video id="x" provider="youtube"`
      const [file = '', ...rest] = plain;
      const service = /youtube|vimeo|gist|twitter/i.exec(named.provider ?? file)?.[0].toLowerCase() ?? '';
      const address = serviceAddress(service, { named, plain: rest });
      if (address !== null) return linkTo(address);
      context.warn(`{% include ${file} %} was left out.`);
      return '';
    }
    case 'assign':
    case 'set':
    case 'more':
    case 'toc':
      return '';
    default:
      return linkTo(serviceAddress(name, values));
  }
}

function readOutput(expression: string): string | null {
  if (/^site\.(baseurl|url|github\.url)$/.test(expression)) return '';
  // `"/about/" | relative_url`
  const [, address] =
    /^["']([^"']*)["']\s*\|\s*(?:relative_url|absolute_url|url|prepend:\s*site\.(?:baseurl|url).*)$/.exec(
      expression,
    ) ?? [];
  return address ?? null;
}

function linkTo(address: string | null): string | null {
  return address && `\n\n<${address}>\n\n`;
}
