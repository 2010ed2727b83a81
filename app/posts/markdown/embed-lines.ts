import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import type { EmbedDetails } from './embeds.ts';

/** The known details of each address that is alone on a line of a text. */
export type Embeds = ReadonlyMap<string, EmbedDetails>;

const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-presentation allow-forms';

/**
 * Replaces each link that is alone in its paragraph and whose address is known. A post of a social network becomes a
 * quotation. Anything else becomes a title with a picture that this site serves; the provider's page loads only when a
 * reader opens it.
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
          sandbox: [SANDBOX],
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
