import type { SourcePost } from '#app/import/model/post.ts';
import { hostOf } from '#app/platform/http/paths.ts';
import { replaceAddresses, decodeDestination } from '#app/posts/markdown/addresses.ts';
import { oldAddress } from './old-address.ts';
import type { AddressPlanner } from './plan.server.ts';

/** The path of a post of an export of Dateline on the site that wrote the export. */
export function exportedPath({ type, parent, slug }: Pick<SourcePost, 'type' | 'parent' | 'slug'>): string {
  return type === 'page' ? `${parent ?? ''}/${slug}` : `/posts/${slug}`;
}

/** The paths that a post's parent and original get on this site, where other posts may have their exported ones. */
export function pathsHere(
  { parent = '', translationOf = '' }: SourcePost,
  { addressAt }: { addressAt: (path: string) => string | null },
): Pick<SourcePost, 'parent' | 'translationOf'> {
  return { parent: addressAt(parent) ?? parent, translationOf: addressAt(translationOf) ?? translationOf };
}

/**
 * The text of an export of Dateline. A link to one of its posts whose path another post has here leads to where the
 * exported post is. Every other link stays as it is written, so that a text that needs no change keeps its bytes.
 * @param siteUrl of the site that wrote the export; blank: unknown
 */
export function withLinksHere(
  body: string,
  { addressAt }: { addressAt: (path: string) => string | null },
  siteUrl = '',
): string {
  return replaceAddresses(body, (link) => {
    const [, address = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(link) ?? [];
    const isOwn = siteUrl !== '' && address.startsWith(`${siteUrl}/`);
    const local = isOwn ? address.slice(siteUrl.length) : address;
    const path = /^\/(?!\/)/.test(local) ? oldAddress(local) : null;
    const here = path === null ? null : addressAt(path);
    return here === null || here === path ? null : here + rest;
  });
}

/** The names by which other posts of an export link to a post. */
export interface LinkedPost {
  /** Its identity at the source. */
  key: string;
  slug: string;
  /**
   * Only of a page: `/`, or `/a/b/` below another page. That is an old address of its parent if the export has the
   * parent, else its path on this site.
   */
  above?: string;
  /** The key of a page's parent, where its old address may be that of several pages. */
  parent?: string;
  /** Paths or absolute addresses. */
  oldAddresses: string[];
  /** The number in `/?p=12`. */
  number?: string;
}

/** Turns links between the posts of an export into links to where those posts are here. */
export class LinksBetweenPosts {
  private readonly hosts: Set<string>;
  /** The paths of the old site's home page, where `?p=12` is a post. */
  private readonly homes = new Set(['/index.php']);
  private readonly byPath = new Map<string, string>();
  private readonly byNumber = new Map<string, string>();

  /**
   * @param plan plans the posts' addresses on this site
   * @param sites addresses of the old site; links without a host are its own too
   */
  static async plan(
    posts: LinkedPost[],
    plan: AddressPlanner,
    sites: string[] = [],
  ): Promise<LinksBetweenPosts> {
    const links = new LinksBetweenPosts(sites);
    const keys = new Map(
      posts.flatMap(({ key, oldAddresses }) => oldAddresses.map((address) => [oldAddress(address), key])),
    );
    const addresses = await plan(
      posts.map(({ key, slug, above, parent = above && keys.get(above.slice(0, -1)) }) => {
        return { key, slug, above: above ?? '/posts/', parent };
      }),
    );
    for (const [index, post] of posts.entries()) links.add(post, addresses[index]!);
    return links;
  }

  private constructor(sites: string[]) {
    const urls = sites.filter((site) => URL.canParse(site)).map((site) => new URL(site));
    this.hosts = new Set(urls.map(hostOf));
    for (const home of urls.map(({ pathname }) => oldAddress(pathname) ?? ''))
      for (const path of [home, `${home}/index.php`]) this.homes.add(path);
  }

  private add({ oldAddresses, number = '' }: LinkedPost, address: string): void {
    if (number !== '') this.byNumber.set(number, address);
    for (const path of oldAddresses.map(oldAddress))
      if (path !== null && !this.byPath.has(path)) this.byPath.set(path, address);
  }

  /**
   * The text with its links to other posts of the export as addresses of this site.
   * @param base the text's old address, where its relative links begin; blank: they stay
   */
  replaceIn(markdown: string, base = ''): string {
    return replaceAddresses(markdown, (address) => this.resolve(address, base));
  }

  /** The address here of the post with a number. */
  addressOfNumber(number: string): string | null {
    return this.byNumber.get(number) ?? null;
  }

  /** The address here of the post with an old path. */
  readonly addressAt = (path: string): string | null => this.byPath.get(path) ?? null;

  private resolve(address: string, base: string): string | null {
    const isRelative = base !== '' && !/^(?:[a-z][a-z0-9+.-]*:|[/#?]|www\.)/i.test(address);
    if (!isRelative && !/^(https?:\/\/|\/(?!\/))/i.test(address)) return null;
    const from = isRelative ? base : OWN;
    if (!URL.canParse(address, from)) return null;
    const url = new URL(address, from);
    if (hostOf(url) !== OWN_HOST && !this.hosts.has(hostOf(url))) return null;
    const newAddress = this.addressOf(url);
    // Not from `url`, which encodes them.
    if (newAddress !== undefined) return newAddress + (/#.*$/s.exec(address)?.[0] ?? '');
    // The text moves, and what its link leads to does not.
    const hasDots = isRelative && /^\.\.?\//.test(address);
    return hasDots ? decodeDestination(url.pathname) + address.replace(/^[^?#]*/, '') : null;
  }

  private addressOf({ pathname, searchParams }: URL): string | undefined {
    const path = oldAddress(pathname);
    const number = searchParams.get('p') ?? searchParams.get('page_id') ?? '';
    const isOfHome = path === null || this.homes.has(path);
    return (isOfHome ? this.byNumber.get(number) : undefined) ?? this.byPath.get(path ?? '');
  }
}

const OWN_HOST = 'site.invalid';
/** Stands for the old site in links without a host. */
const OWN = `http://${OWN_HOST}`;
