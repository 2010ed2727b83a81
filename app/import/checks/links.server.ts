import type { Stored } from '#app/media/store/media-store.ts';
import type { Configured, Db } from '#app/platform/services.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { isPublic } from '#app/posts/lists/queries.server.ts';
import { decodePath, encodePath, postPath } from '#app/posts/paths.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { PublicAddresses } from './public-address.server.ts';

/** What `content:check-links` prints. */
export interface LinkCheck {
  /** Links and pictures with addresses of this site. */
  checked: number;
  dead: { page: string; link: string }[];
}

const PAGE_SIZE = 50;
const DEAD_LINKS_MAX = 50;

/**
 * Checks the links and pictures of all published posts, and the links of the header and footer, that have addresses of
 * this site. A link is dead when its address answers 404. An old address that redirects is not dead.
 */
export async function checkLinks(
  app: Db & Configured & Stored,
  onProgress: (progress: { step: string; done: number; total: number }) => void = () => {},
): Promise<LinkCheck> {
  const addresses = new PublicAddresses(app);
  const result: LinkCheck = { checked: 0, dead: [] };
  const check = async (page: string, links: Iterable<string>) => {
    for (const link of links) {
      const url = ownUrlOf(link, page, app.env.siteUrl);
      if (url === null) continue;
      result.checked += 1;
      if ((await addresses.answerAt(url.pathname, url.search)) === 'gone') result.dead.push({ page, link });
    }
  };
  const { navigation, footer, header_button: button, announcement } = await readSettings(app);
  const entries = [...navigation, ...footer].flatMap((entry) => [entry, ...entry.children]);
  await check(
    '/',
    [...entries, button, announcement].flatMap((entry) => entry?.href || []),
  );
  const total = await countPosts(app);
  let done = 0;
  for (let after = ''; ;) {
    const posts = await app.db.post.findMany({
      where: { ...isPublic, id: { gt: after } },
      orderBy: { id: 'asc' },
      take: PAGE_SIZE,
      select: { id: true, slug: true, bodyHtml: true },
    });
    for (const { slug, bodyHtml } of posts) {
      onProgress({ step: 'Checking links', done: (done += 1), total });
      await check(encodePath(postPath(slug)), linksOf(bodyHtml));
    }
    if (posts.length < PAGE_SIZE) return result;
    after = posts.at(-1)!.id;
  }
}

/** Addresses that a planned change creates or removes, decoded. */
export interface ChangedAddresses {
  appear: ReadonlySet<string>;
  vanish: ReadonlySet<string>;
}

const noChanges: ChangedAddresses = { appear: new Set(), vanish: new Set() };

/**
 * The dead links and pictures of a page: those with addresses of this site that show readers nothing.
 * @param page its path
 */
export async function findDeadLinks(
  app: Db & Configured & Stored,
  page: string,
  links: Iterable<string>,
  changed: ChangedAddresses = noChanges,
): Promise<string[]> {
  const addresses = new PublicAddresses(app);
  const dead: string[] = [];
  for (const link of links) {
    const url = ownUrlOf(link, page, app.env.siteUrl);
    if (url === null || url.pathname === page || dead.length >= DEAD_LINKS_MAX) continue;
    const { pathname, search } = url;
    const path = decodePath(pathname) ?? pathname;
    if (changed.appear.has(path)) continue;
    if (changed.vanish.has(path) || (await addresses.answerAt(pathname, search)) === 'gone') dead.push(link);
  }
  return dead;
}

/** The addresses in stored HTML, each once. Stored HTML always has them in double quotes. */
export function linksOf(html: string): Set<string> {
  const addresses = [...html.matchAll(/\s(?:href|src|poster)="([^"]*)"/g)].map(([, address]) => address!);
  return new Set(
    addresses.map((address) =>
      address.replaceAll('&quot;', '"').replaceAll('&#x26;', '&').replaceAll('&amp;', '&'),
    ),
  );
}

/** The address of a link to another page of this site; null for any other link. */
function ownUrlOf(link: string, page: string, siteUrl: string): URL | null {
  const base = new URL(page, siteUrl);
  if (link.startsWith('#') || !URL.canParse(link, base)) return null;
  const url = new URL(link, base);
  return url.origin === base.origin ? url : null;
}
