import { pathKey, teaserKey } from '#app/platform/http/page-keys.ts';
import type { Reading } from '#app/platform/services.ts';
import { isPublic } from './scope.ts';
import { textOrder } from './translations.server.ts';

/** A page as links show it. */
export interface PageLink {
  /** Its path. */
  slug: string;
  title: string;
}

/** The largest number of links to pages below a page. */
const BELOW_MAX = 100;

/** The public pages above a page, the topmost first, and those right below it. */
export async function listPagesAround(
  app: Reading,
  page: { id: string; slug: string; language: string },
): Promise<{ above: PageLink[]; below: PageLink[] }> {
  const parts = page.slug.split('/').slice(1, -1);
  const paths = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
  const [above, below] = await Promise.all([
    paths.length === 0
      ? []
      : app.db.post.findMany({
          where: { slug: { in: paths } },
          select: { id: true, slug: true, title: true, status: true },
        }),
    app.db.post.findMany({
      // A post that was a page keeps its parent, but has no address below it.
      where: { parentId: page.id, type: 'page' },
      select: { id: true, slug: true, title: true, status: true },
      orderBy: { id: 'asc' },
      take: BELOW_MAX,
    }),
  ]);
  const isShown = ({ status }: { status: string }) => status === isPublic.status;
  const toLink = ({ slug, title }: PageLink) => ({ slug, title });
  app.recordKeys?.(
    ...paths.map(pathKey),
    pathKey(`${page.slug}/`),
    ...[...above, ...below].map(({ id }) => teaserKey(id)),
  );
  const order = await textOrder(app, page.language);
  return {
    above: above
      .filter(isShown)
      .sort((a, b) => a.slug.length - b.slug.length)
      .map(toLink),
    below: below
      .filter(isShown)
      .sort((a, b) => order(a.title, b.title))
      .map(toLink),
  };
}
