import { textOfHtml } from '#app/import/html/to-markdown.ts';
import type { SourceMenu, SourceMenuEntry } from '#app/import/model/post.ts';
import { decodedOrSame } from '#app/platform/http/paths.ts';
import { parseJson } from '#app/platform/json.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import type { WxrHead, WxrItem } from './wxr.ts';

interface Entry extends SourceMenuEntry {
  id: string;
  parent: string;
  order: number;
  /** The slug of its menu. */
  menu: string;
}

/** Collects the menus of a blog: entries are items like posts, and name their menu. */
export class Menus {
  private readonly entries: Entry[] = [];
  private readonly names = new Map<string, string>();
  /** Menus of block themes. */
  private readonly blockMenus: SourceMenu[] = [];

  /** @param keyOf the identity of an item, by its number */
  add(item: WxrItem, head: WxrHead, keyOf: (id: string) => string): void {
    if (item['wp:status'] === 'trash' || item['wp:status'] === 'draft') return;
    if (item['wp:post_type'] === 'wp_navigation') {
      const entries = blockEntries(item['content:encoded'], keyOf);
      if (entries.length > 0) this.blockMenus.push({ name: textOfHtml(item.title) || 'Navigation', entries });
      return;
    }
    const menu = item.terms.find(({ domain }) => domain === 'nav_menu');
    if (!menu) return;
    this.names.set(menu.nicename, menu.name || menu.nicename);
    const {
      _menu_item_type: type = '',
      _menu_item_object: kind = '',
      _menu_item_object_id: objectId = '',
    } = item.meta;
    const slug =
      kind === 'category' || kind === 'post_tag' ? head.termSlugs.get(`${kind} ${objectId}`) : undefined;
    this.entries.push({
      id: item['wp:post_id'],
      parent: item.meta._menu_item_menu_item_parent ?? '0',
      order: Number(item['wp:menu_order']) || 0,
      menu: menu.nicename,
      label: textOfHtml(item.title),
      target:
        type === 'post_type'
          ? { key: keyOf(objectId) }
          : slug === undefined
            ? { address: item.meta._menu_item_url?.trim() ?? '' }
            : { term: kind === 'category' ? 'category' : 'tag', slug: toSlug(decodedOrSame(slug)) },
      children: [],
    });
  }

  /** The menus, each with two levels. Deeper entries are on the second one. */
  all(): SourceMenu[] {
    const named = [...this.names].map(([slug, name]) => {
      const entries = this.entries.filter(({ menu }) => menu === slug).sort((a, b) => a.order - b.order);
      const byId = new Map(entries.map((entry) => [entry.id, entry]));
      const top = entries.filter(({ parent }) => !byId.has(parent));
      for (const entry of entries) if (!top.includes(entry)) uppermost(entry, byId)?.children.push(entry);
      return { name, entries: top };
    });
    return [...named, ...this.blockMenus].filter(({ entries }) => entries.length > 0);
  }
}

function uppermost(entry: Entry, byId: ReadonlyMap<string, Entry>): Entry | undefined {
  const seen = new Set<Entry>();
  let above = byId.get(entry.parent);
  for (let next = above; next && !seen.has(next); next = byId.get(next.parent)) {
    seen.add(next);
    above = next;
  }
  return above;
}

/** Links of the block “Navigation”; those of a submenu are below it. */
function blockEntries(content: string, keyOf: (id: string) => string): SourceMenuEntry[] {
  const entries: SourceMenuEntry[] = [];
  let open: SourceMenuEntry | null = null;
  for (const [, end, kind, json] of content.matchAll(
    /<!-- (\/?)wp:navigation-(link|submenu)(?:\s+(\{[^<>]*?\}))?\s*\/?-->/g,
  )) {
    if (end === '/') {
      if (kind === 'submenu') open = null;
      continue;
    }
    const read = (parseJson(json ?? '') ?? {}) as { label?: unknown; url?: unknown; id?: number };
    const { label = '', url = '', id } = read;
    const isPost = id !== undefined && !/"type":"(?:category|tag|post_tag)"/.test(json ?? '');
    const entry: SourceMenuEntry = {
      label: textOfHtml(String(label)),
      target: isPost ? { key: keyOf(String(id)), address: String(url) } : { address: String(url) },
      children: [],
    };
    (open?.children ?? entries).push(entry);
    if (kind === 'submenu') open = entry;
  }
  return entries;
}
