import type { App } from '#app/app.ts';
import { findDeadLinks, linksOf, type ChangedAddresses } from '#app/content/check-links.server.ts';
import { inSteps, yieldToEventLoop } from '#app/platform/event-loop.server.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { readStoredFields } from '#app/posts/revision.ts';
import { renderBody } from '#app/publishing/render-body.server.ts';
import { ofKind, type ReleaseItemRow } from '#app/releases/check-release.server.ts';
import { readTexts } from '#app/releases/item-changes.ts';

/** Rows that are read in one turn of the event loop, and stored changes, which contain whole texts. */
const ROWS_READ = 100;
const ITEMS_READ = 25;

/** The settings that consist of lines `label | address`. */
const menus = new Set(['navigation', 'footer', 'header_button', 'announcement']);

/** True for a change with a new text, whose links are known only after rendering. */
export function hasNewBody({ kind, action, fields }: ReleaseItemRow): boolean {
  return kind === 'post' && action === 'update' && readStoredFields(fields)?.body !== undefined;
}

/** Finds links that will lead nowhere once a release is published. */
export class ReleaseLinks {
  readonly #app: App;
  readonly #items: readonly ReleaseItemRow[];
  #changed: ChangedAddresses | undefined;

  constructor(app: App, items: readonly ReleaseItemRow[]) {
    this.#app = app;
    this.#items = items;
  }

  async deadIn(item: ReleaseItemRow): Promise<string[]> {
    const page = await this.#pageOf(item);
    if (!page) return [];
    this.#changed ??= await this.#readChanged();
    await yieldToEventLoop();
    return findDeadLinks(this.#app, page.path, page.links, this.#changed);
  }

  /** The path and links of an item's page after the publication; null for an item without links. */
  async #pageOf({ kind, action, subjectId, fields }: ReleaseItemRow) {
    if (kind === 'setting' && menus.has(subjectId)) {
      const lines = (readTexts(fields)?.value ?? '').split('\n');
      const addresses = lines.flatMap((line) => (line.includes('|') ? [line.split('|').at(-1)!.trim()] : []));
      return { path: '/', links: addresses };
    }
    if (kind !== 'post' || (action !== 'publish' && action !== 'update')) return null;
    const row = await this.#app.db.post.findUnique({
      where: { id: subjectId },
      select: { slug: true, bodyHtml: true },
    });
    if (!row) return null;
    const body = action === 'update' ? readStoredFields(fields)?.body : undefined;
    const html = body === undefined ? row.bodyHtml : (await renderBody(this.#app, body)).html;
    return { path: encodePath(postPath(row.slug)), links: linksOf(html) };
  }

  async #readChanged(): Promise<ChangedAddresses> {
    const posts = ofKind(this.#items, 'post');
    const rows = await inSteps(posts, ROWS_READ, (batch) =>
      this.#app.db.post.findMany({
        where: { id: { in: batch.map(({ subjectId }) => subjectId) } },
        select: { id: true, slug: true },
      }),
    );
    const slugOf = new Map(rows.map(({ id, slug }) => [id, slug]));
    const appear = new Set<string>();
    const vanish = new Set<string>();
    for (const [index, { subjectId, action, fields }] of posts.entries()) {
      if (index % ITEMS_READ === ITEMS_READ - 1) await yieldToEventLoop();
      const slug = slugOf.get(subjectId);
      if (slug === undefined) continue;
      if (action === 'publish') appear.add(postPath(slug));
      if (action === 'archive') vanish.add(postPath(slug));
      const renamed = action === 'update' && readStoredFields(fields)?.slug;
      if (renamed) appear.add(postPath(slug.slice(0, slug.lastIndexOf('/') + 1) + renamed));
    }
    for (const { subjectId, fields } of ofKind(this.#items, 'redirect'))
      (readTexts(fields)?.to ? appear : vanish).add(subjectId);
    return { appear, vanish };
  }
}
