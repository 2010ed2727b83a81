import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import * as z from 'zod';
import { attribute, classesOf, element, find, hasClass, replaceElements } from '#app/import/html/nodes.ts';
import { parseJson } from '#app/platform/json.ts';

const text = z.string().catch('');

/** The data of an embed, in the attribute from which Substack's page draws it. */
const details = z.object({
  ...{ url: text, canonical_url: text, postUrl: text, title: text, full_text: text },
  instagram_id: text,
  gallery: z
    .object({ images: z.array(z.object({ src: text, alt: text })).catch([]), caption: text })
    .catch({ images: [], caption: '' }),
});

/** Forms inside texts. */
const forms = [
  ...['subscription-widget-wrap', 'subscription-widget-wrap-editor', 'subscription-widget'],
  ...['subscribe-widget', 'paywall-jump', 'install-substack-app-embed', 'community-chat'],
];

/**
 * Removes forms. Replaces what a script of Substack's page draws: galleries by pictures, embeds by links.
 * @returns what is lost, in words
 */
export function fillInEmbeds(tree: Root): string[] {
  const lost = new Set<string>();
  replaceElements(tree, (node) => {
    if (forms.some((name) => hasClass(node, name)) || isOwnButton(node)) return [];
    const written = attribute(node, 'dataAttrs');
    if (written === '' || hasClass(node, 'latex-rendered') || holdsSomething(node)) return undefined;
    const drawn = drawnFrom(written);
    if (drawn.length === 0)
      lost.add(`An embed of Substack (${classesOf(node)[0] ?? node.tagName}) was left out.`);
    return drawn;
  });
  return [...lost];
}

/** True for a button of the publication itself: to subscribe, give a subscription or share. */
function isOwnButton(node: Element): boolean {
  if (!hasClass(node, 'button-wrapper')) return false;
  const link = find(node, ({ tagName }) => tagName === 'a');
  const address = (link && attribute(link, 'href')) || detailsOf(attribute(node, 'dataAttrs')).url;
  return /\/subscribe\b|[?&](?:action=share|gift=true)\b|%%(?:checkout|share|half_magic)/i.test(address);
}

function holdsSomething(node: Element): boolean {
  const isShown = ({ tagName }: Element) => /^(a|img|iframe|video|audio|pre)$/.test(tagName);
  return isShown(node) || toString(node).trim() !== '' || find(node, isShown) !== undefined;
}

function drawnFrom(json: string): ElementContent[] {
  const { gallery, ...said } = detailsOf(json);
  if (gallery.images.length > 0) {
    const pictures = gallery.images.map(({ src, alt }) => element('img', [], { src, alt }));
    const caption = gallery.caption === '' ? [] : [element('figcaption', [gallery.caption])];
    return [element('figure', [...pictures, ...caption])];
  }
  const instagram = said.instagram_id === '' ? '' : `https://www.instagram.com/p/${said.instagram_id}/`;
  const address = [said.url, said.canonical_url, said.postUrl, instagram].find((one) =>
    /^https?:\/\//i.test(one),
  );
  if (address === undefined) return [];
  const quotation = said.full_text === '' ? [] : [element('blockquote', [element('p', [said.full_text])])];
  return [...quotation, element('p', [element('a', [said.title || address], { href: address })])];
}

function detailsOf(json: string): z.output<typeof details> {
  return details.safeParse(parseJson(json)).data ?? details.parse({});
}
