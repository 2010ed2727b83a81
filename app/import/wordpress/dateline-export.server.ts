import { createHash } from 'node:crypto';
import { readPortable } from '#app/export/portable-post.ts';
import type { SourcePost } from '#app/import/model/post.ts';
import type { WxrItem } from './wxr-item.ts';

/** The parts of an item that somebody may have changed in WordPress since the export. */
interface HashedParts {
  title: string;
  content: string;
  excerpt: string;
  status: string;
  date: string;
  slug: string;
}

/** The hash of an item that Dateline exported. When it differs at an import, somebody has changed the item in WordPress. */
export function hashOfExportedItem({ title, content, excerpt, status, date, slug }: HashedParts): string {
  // As an XML parser returns them: without forbidden characters, with normalised line ends.
  const values = [title, content, excerpt, status, date, slug].map((value) =>
    value
      .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
      .replace(/\r\n?/g, '\n')
      .trim(),
  );
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

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
