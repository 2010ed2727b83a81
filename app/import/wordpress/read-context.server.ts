import { hashOfExportedItem } from '#app/export/wordpress-writer.server.ts';
import { LinksBetweenPosts, type LinkedPost } from '#app/import/addresses/links-between-posts.ts';
import { Redirects } from '#app/import/addresses/old-address.ts';
import type { AddressPlanner } from '#app/import/addresses/plan.server.ts';
import { readPortable, type SourcePost, reasonToSkip } from '#app/import/model/post.ts';
import { readTextFile } from '#app/import/source/read-text.server.ts';
import { parseJson } from '#app/platform/json.ts';
import { Attachments } from './attachments.ts';
import { leavesOf } from './categories.ts';
import { Menus } from './menus.ts';
import { parentOf, slugOfName, refusalOf, type WordpressContext } from './post.ts';
import { readRedirection } from './redirection.ts';
import { readText, type TextEncoding } from './wxr-text.server.ts';
import { type WxrItem, splitWxr, readWxrHead, type WxrHead, partsOfItem, readWxrItem } from './wxr.ts';

/** The post of an item that Dateline exported; null for any other item, and for one that was changed in WordPress. */
export function readDatelineExport(item: WxrItem): SourcePost | null {
  const written = item.meta._dateline_post;
  if (written === undefined) return null;
  const { seal, post } = (parseJson(written) ?? {}) as { seal?: unknown; post?: unknown };
  const hash = hashOfExportedItem({
    title: item.title,
    content: item['content:encoded'],
    excerpt: item['excerpt:encoded'],
    status: item['wp:status'],
    date: item['wp:post_date_gmt'],
    slug: item['wp:post_name'],
  });
  return seal === hash ? readPortable(post) : null;
}

/** What the items of a WXR file refer to: its head, attachments, pages, shared blocks, menus. */
export async function readContext(
  file: string,
  { label }: TextEncoding,
  {
    timeZone,
    now,
    redirectsFile,
    addresses,
  }: Pick<WordpressContext, 'timeZone' | 'now'> & { redirectsFile: string | null; addresses: AddressPlanner },
): Promise<WordpressContext & { menus: Menus }> {
  const pages = new Map<string, WxrPage>();
  const collected = {
    attachments: new Attachments(),
    pages,
    sharedBlocks: new Map<string, string>(),
    menus: new Menus(),
  };
  const posts: LinkedPost[] = [];
  let head: WxrHead | null = null;
  for await (const { kind, xml } of splitWxr(readText(file, label))) {
    if (kind === 'head') head = readWxrHead(xml);
    else if (kind !== 'item') continue;
    // Skips other items quickly: reading all of them twice would double the time of an import.
    else if (
      /<wp:post_type>\s*(?:<!\[CDATA\[)?\s*(?:attachment|page|wp_block|nav_menu_item|wp_navigation)/.test(xml)
    )
      addContext(collected, head!, xml);
    else posts.push(...linkedPost(xml, head!));
  }
  const rules =
    redirectsFile === null
      ? { byTarget: new Map<string, string[]>(), leftOut: [] }
      : readRedirection(await readTextFile(redirectsFile), head!.blogUrl);
  return {
    head: head!,
    numberedAuthors: new Set(),
    ...collected,
    links: await ownLinks(head!, posts, { pages, addresses }),
    redirects: new Redirects(rules),
    timeZone,
    now,
  };
}

interface WxrPage {
  slug: string;
  parent: string;
  /** The path above a page that Dateline exported: its parent may be missing in the file. */
  above: string;
  /** The old address. */
  link: string;
}

/** The names by which links refer to a post, from an item that is not parsed; empty for a post without an address. */
function linkedPost(xml: string, head: WxrHead): LinkedPost[] {
  const { id, link, slug, status, type } = partsOfItem(xml);
  if (slug === '' || !/^(post)?$/.test(type)) return [];
  // An export of Dateline names drafts too, as originals of translations.
  if (!/^(publish|future)$/.test(status) && !xml.includes('_dateline_post')) return [];
  for (const category of leavesOf(categoriesIn(xml), head)) head.ownCategories.add(category);
  return [{ key: keyOf(head, id), slug: slugOfName(slug, id), oldAddresses: [link], number: id }];
}

function categoriesIn(xml: string): string[] {
  const tags = xml.match(/<category\b[^<>]*\bdomain=["']category["'][^<>]*>/g) ?? [];
  return tags.flatMap((tag) => /\bnicename=["']([^"']*)["']/.exec(tag)?.[1] ?? []);
}

function ownLinks(
  head: WxrHead,
  posts: LinkedPost[],
  { pages, addresses }: { pages: Map<string, WxrPage>; addresses: AddressPlanner },
): Promise<LinksBetweenPosts> {
  const ownPages = [...pages].map(([id, { slug, link, ...page }]) => {
    const parent = parentOf({ id, ...page }, pages);
    return {
      key: keyOf(head, id),
      slug,
      above: page.above,
      ...(parent !== null && { parent: keyOf(head, parent) }),
      oldAddresses: [link],
      number: id,
    };
  });
  return LinksBetweenPosts.plan([...posts, ...ownPages], addresses, [head.blogUrl]);
}

interface Collected extends Pick<WordpressContext, 'attachments'> {
  pages: Map<string, WxrPage>;
  sharedBlocks: Map<string, string>;
  menus: Menus;
}

function addContext(
  { attachments, pages, sharedBlocks, menus }: Collected,
  head: WxrHead,
  xml: string,
): void {
  let item: WxrItem;
  try {
    item = readWxrItem(xml);
  } catch (error) {
    // The error is reported when the item itself is read.
    reasonToSkip(error);
    return;
  }
  const id = item['wp:post_id'];
  const { 'wp:post_type': type, 'wp:post_name': slug, 'wp:post_parent': parent } = item;
  if (id === '') return;
  if (type === 'nav_menu_item' || type === 'wp_navigation') menus.add(item, head, (id) => keyOf(head, id));
  else if (type === 'wp_block') sharedBlocks.set(id, item['content:encoded']);
  else if (type === 'page') {
    const above = `${readDatelineExport(item)?.parent ?? ''}/`;
    if (slug !== '' && refusalOf(item) === null)
      pages.set(id, { slug: slugOfName(slug, id), parent, above, link: item.link });
  } else {
    const url = item['wp:attachment_url'].trim() || item.guid.trim();
    const alt = item.meta._wp_attachment_image_alt?.trim() ?? '';
    const caption = item['excerpt:encoded'].trim();
    const order = Number(item['wp:menu_order']) || 0;
    if (url !== '') attachments.add({ id, url, alt, caption, parent, order, page: item.link });
  }
}

/** A key that an item has at the next run too. Two blogs may both have a post 1. */
export function keyOf({ blogUrl }: WxrHead, id: string): string {
  return `${blogUrl.replace(/^https?:\/\//i, '') || 'wordpress'}/?p=${id}`;
}
