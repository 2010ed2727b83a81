import type { App } from '#app/app.ts';
import { isMediaPath } from '#app/media/media-path.ts';
import { decodePath } from '#app/posts/paths.ts';
import { findAuthor, isPublic } from '#app/posts/queries.server.ts';
import { findRedirect, findRedirectOfQuery } from '#app/posts/redirects.server.ts';
import { findCategory, findTag } from '#app/taxonomy/queries.server.ts';

/** What a reader gets at an address: a page or file, a redirect, or nothing. */
export type PublicAnswer = 'found' | 'moved' | 'gone';

/** Public addresses without parameters. */
const fixed = new Set([
  ...['/', '/archive', '/categories', '/tags', '/search', '/robots.txt', '/sitemap.xml'],
  ...['/rss.xml', '/atom.xml', '/feed.json', '/favicon.ico', '/favicon.svg'],
]);

/** Finds what readers get at addresses of this site. Caches each answer. */
export class PublicAddresses {
  private readonly app: Pick<App, 'db' | 'mediaStore'>;
  private readonly answers = new Map<string, Promise<PublicAnswer>>();

  constructor(app: Pick<App, 'db' | 'mediaStore'>) {
    this.app = app;
  }

  /**
   * @param pathname percent-encoded
   * @param search the query: only lists have one, with the number of the page
   */
  answerAt(pathname: string, search = ''): Promise<PublicAnswer> {
    const address = /^\?page=\d+$/.test(search) ? pathname : pathname + search;
    let answer = this.answers.get(address);
    if (!answer) {
      answer = address.includes('?') ? this.lookUpQuery(pathname, search) : this.lookUp(pathname);
      this.answers.set(address, answer);
    }
    return answer;
  }

  private async lookUpQuery(pathname: string, search: string): Promise<PublicAnswer> {
    if (pathname !== '/') return 'gone';
    return (await findRedirectOfQuery(this.app, new URLSearchParams(search))) === null ? 'gone' : 'moved';
  }

  private async lookUp(pathname: string): Promise<PublicAnswer> {
    if (await this.isFound(pathname)) return 'found';
    if ((await findRedirect(this.app, pathname)) !== null) return 'moved';
    // The site redirects an address with a slash at its end to the one without it.
    const bare = pathname.replace(/\/+$/, '');
    return bare !== '' && bare !== pathname && (await this.isFound(bare)) ? 'moved' : 'gone';
  }

  private async isFound(pathname: string): Promise<boolean> {
    const decoded = decodePath(pathname);
    if (decoded === null) return false;
    if (fixed.has(decoded) || (await this.isPost(decoded.replace(/(.)\/$/, '$1')))) return true;
    const [, kind, name, rest] = /^\/([^/]+)\/([^/]+)((?:\/.*)?)$/.exec(decoded) ?? [];
    if (kind === 'uploads') return this.isUpload(decoded.slice('/uploads/'.length));
    if (name === undefined) return false;
    if (kind === 'categories') return isTermPage(rest) && (await findCategory(this.app, name)) !== null;
    if (kind === 'tags') return isTermPage(rest) && (await findTag(this.app, name)) !== null;
    if (rest !== '') return false;
    if (kind === 'posts') return this.isPost(name);
    return kind === 'authors' && (await findAuthor(this.app, name)) !== null;
  }

  private async isPost(slug: string): Promise<boolean> {
    return (
      (await this.app.db.post.findUnique({ where: { slug, ...isPublic }, select: { id: true } })) !== null
    );
  }

  private async isUpload(below: string): Promise<boolean> {
    if (!isMediaPath(below)) return false;
    return (await this.app.mediaStore.head(below)) !== null;
  }
}

function isTermPage(rest: string | undefined): boolean {
  return rest === '' || rest === '/rss.xml';
}
