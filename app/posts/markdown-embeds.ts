import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import type { EmbedDetails } from './embeds.ts';

/** What is known of the addresses that a text names alone on a line. */
export type Embeds = ReadonlyMap<string, EmbedDetails>;

const BOX = 'allow-scripts allow-same-origin allow-popups allow-presentation allow-forms';

/**
 * A link alone in its paragraph becomes a facade where its address is known: a picture of our own and a title, and the
 * provider's page only in a frame that is opened. A post of a social network becomes a quotation.
 */
export function decorateEmbeds(tree: Root, embeds: Embeds | undefined): void {
  if (!embeds || embeds.size === 0) return;
  tree.children = tree.children.map((node) => {
    const address = node.type === 'element' ? loneLink(node) : undefined;
    const details = address === undefined ? undefined : embeds.get(address);
    if (!details) return node;
    return details.frame === null ? quotation(address!, details) : facade(address!, details);
  });
}

function loneLink(node: Element): string | undefined {
  const [link, ...others] = node.children.filter(
    (child) => child.type !== 'text' || child.value.trim() !== '',
  );
  if (node.tagName !== 'p' || others.length > 0 || link?.type !== 'element' || link.tagName !== 'a')
    return undefined;
  const { href } = link.properties;
  return typeof href === 'string' && toString(link) === href ? href : undefined;
}

function facade(address: string, details: EmbedDetails): Element {
  const { title, provider, picture, frame } = details;
  const image = picture
    ? [element('img', { ...picture, alt: '', loading: 'lazy', decoding: 'async' }, [])]
    : [];
  return element('figure', { className: ['embed'] }, [
    element('details', {}, [
      element('summary', {}, [...image, element('span', { className: ['embed-title'] }, [text(title)])]),
      element(
        'iframe',
        {
          src: frame ?? undefined,
          title,
          loading: 'lazy',
          sandbox: [BOX],
          allow: 'autoplay; fullscreen; picture-in-picture; encrypted-media',
          referrerPolicy: 'strict-origin-when-cross-origin',
        },
        [],
      ),
    ]),
    caption(address, title, provider),
  ]);
}

function quotation(address: string, { text: words, author, provider }: EmbedDetails): Element {
  const paragraphs = words
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => element('p', {}, [text(part)]));
  return element('figure', { className: ['embed', 'embed-quote'] }, [
    element('blockquote', { cite: address }, paragraphs),
    caption(address, author, provider),
  ]);
}

function caption(address: string, label: string, provider: string): Element {
  const link = element('a', { href: address, rel: ['external', 'noopener'] }, [text(label || address)]);
  return element('figcaption', {}, [link, text(` · ${provider}`)]);
}

function element(tagName: string, properties: Element['properties'], children: ElementContent[]): Element {
  return { type: 'element', tagName, properties, children };
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}
