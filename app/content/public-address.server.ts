import type { App } from '#app/app.ts';
import { findSitemapPart } from '#app/feeds/sitemap-parts.server.ts';
import { isMediaPath } from '#app/media/media-path.ts';
import { isTrashedFile } from '#app/media/queries.server.ts';
import { createCachedReads } from '#app/platform/cached-reads.ts';
import { PAGE_ROUTE, POSTS_ROUTE, publicAddressOf } from '#app/platform/public-addresses.ts';
import { readShared, type SharedReads } from '#app/platform/shared-reads.ts';
import { findAddress } from '#app/posts/find-address.server.ts';
import { oldSiteQueries } from '#app/posts/old-site-queries.ts';
import { decodePath } from '#app/posts/paths.ts';
import { findAuthor, isPublic } from '#app/posts/queries.server.ts';
import { findRedirect, findRedirectOfQuery } from '#app/posts/redirects.server.ts';
import { redirectOfHome } from '#app/settings/posts-path.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { findCategory, findTag } from '#app/taxonomy/queries.server.ts';

/** What a reader gets at an address: a page or file, a redirect, or nothing. */
export type PublicAnswer = 'found' | 'moved' | 'gone';

/** Finds what readers get at addresses of this site. Caches each answer. */
export class PublicAddresses {
  private readonly app: Pick<App, 'db' | 'mediaStore'> & { sharedReads: SharedReads };
  private readonly answers = new Map<string, Promise<PublicAnswer>>();

  constructor({ db, mediaStore }: Pick<App, 'db' | 'mediaStore'>) {
    this.app = { db, mediaStore, sharedReads: createCachedReads() };
  }

  /**
   * @param pathname percent-encoded
   * @param search the query: only the home page answers something else for it
   */
  answerAt(pathname: string, search = ''): Promise<PublicAnswer> {
    const address = pathname === '/' ? pathname + search : pathname;
    let answer = this.answers.get(address);
    if (!answer) {
      answer = pathname === '/' ? this.lookUpHome(new URLSearchParams(search)) : this.lookUp(pathname);
      this.answers.set(address, answer);
    }
    return answer;
  }

  /** Without a redirect, an address of a WordPress post shows the home page instead of the post: it is gone. */
  private async lookUpHome(query: URLSearchParams): Promise<PublicAnswer> {
    if (oldSiteQueries.some((name) => query.has(name)))
      return (await findRedirectOfQuery(this.app, query)) === null ? 'gone' : 'moved';
    const settings = await readShared(this.app, 'settings', readSettings);
    const hasHome = settings.home_page !== '' && (await this.isPost({ id: settings.home_page }));
    return redirectOfHome(settings, { hasHome, isLater: query.has('page') }) === null ? 'found' : 'moved';
  }

  private async lookUp(pathname: string): Promise<PublicAnswer> {
    const address = await findAddress(this.app, pathname);
    if (address && 'redirect' in address) return this.redirectTo(address.redirect);
    if (address) return this.lookUpRoute(address.route, address.place.listedIn);
    if (await this.isFound(pathname)) return 'found';
    if ((await findRedirect(this.app, pathname)) !== null) return 'moved';
    // The site redirects the feed of a moved list, and an address with a slash at its end.
    const list = listOfFeed(pathname);
    if (list !== null && (await findRedirect(this.app, list)) !== null) return 'moved';
    const bare = pathname.replace(/\/+$/, '');
    return bare === '' || bare === pathname ? 'gone' : this.redirectTo(bare);
  }

  /** A page, the list of posts, or an address below a language. */
  private async lookUpRoute(route: string, listedIn: string): Promise<PublicAnswer> {
    if (route === PAGE_ROUTE || route === POSTS_ROUTE || (await this.isFound(route, listedIn)))
      return 'found';
    const list = listOfFeed(route);
    const moved = await findRedirect(this.app, list ?? route, listedIn);
    // A list without posts in the language redirects to the main list. Its feed does not.
    if (list !== null) return moved?.startsWith(`/${listedIn}/`) ? 'moved' : 'gone';
    return moved === null ? this.redirectTo(route) : 'moved';
  }

  /** A redirect to nothing shows readers nothing. */
  private async redirectTo(pathname: string): Promise<PublicAnswer> {
    return (await this.answerAt(pathname)) === 'gone' ? 'gone' : 'moved';
  }

  private async isFound(pathname: string, listedIn = ''): Promise<boolean> {
    const path = decodePath(pathname);
    const address = path === null ? null : publicAddressOf(path);
    if (path === null || !address) return false;
    const [, kind = '', name = ''] = path.split('/');
    switch (kind) {
      case 'posts':
        return this.isPost({ slug: name });
      case 'categories':
        return name === '' || (await findCategory(this.app, name, listedIn)) !== null;
      case 'tags':
        return name === '' || (await findTag(this.app, name, listedIn)) !== null;
      case 'authors':
        return (await findAuthor(this.app, name, listedIn)) !== null;
      case 'sitemaps':
        return (await findSitemapPart(this.app, name)) !== null;
      case 'uploads':
        return this.isUpload(path.slice('/uploads/'.length));
      default:
        // Deeper addresses are for machines, for one visitor, or routes that have other addresses. No build has a
        // favicon.ico.
        return name === '' && kind !== 'favicon.ico';
    }
  }

  private async isPost(post: { slug: string } | { id: string }): Promise<boolean> {
    return (
      (await this.app.db.post.findUnique({ where: { ...post, ...isPublic }, select: { id: true } })) !== null
    );
  }

  private async isUpload(below: string): Promise<boolean> {
    if (!isMediaPath(below) || (await isTrashedFile(this.app, below))) return false;
    return (await this.app.mediaStore.head(below)) !== null;
  }
}

/** The address of the list whose feed this is; null for any other address, `''` for the feed of the site. */
function listOfFeed(pathname: string): string | null {
  const path = decodePath(pathname);
  return path !== null && publicAddressOf(path)?.isFeed ? pathname.replace(/\/[^/]+$/, '') : null;
}
