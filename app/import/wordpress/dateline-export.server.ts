import { hashOfExportedItem } from '#app/export/wordpress-seal.server.ts';
import { readPortable } from '#app/import/model/portable.ts';
import type { SourcePost } from '#app/import/model/post.ts';
import type { WxrItem } from './wxr-item.ts';

/** The post of an item that Dateline exported; null for any other item, and for one that was changed in WordPress. */
export function readDatelineExport(item: WxrItem): SourcePost | null {
  const written = item.meta._dateline_post;
  if (written === undefined) return null;
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return null;
  }
  const { seal, post } = (value ?? {}) as { seal?: unknown; post?: unknown };
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
