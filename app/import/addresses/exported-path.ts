import type { SourcePost } from '#app/import/model/post.ts';
import { replaceAddresses } from '#app/posts/markdown/addresses.ts';
import { oldAddress } from './old-address.ts';

/** The path of a post of an export of Dateline on the site that wrote the export. */
export function exportedPath({ type, parent, slug }: Pick<SourcePost, 'type' | 'parent' | 'slug'>): string {
  return type === 'page' ? `${parent ?? ''}/${slug}` : `/posts/${slug}`;
}

/** The paths that a post's parent and original get on this site, where other posts may have their exported ones. */
export function pathsHere(
  { parent = '', translationOf = '' }: SourcePost,
  { addressAt }: { addressAt: (path: string) => string | null },
): Pick<SourcePost, 'parent' | 'translationOf'> {
  return {
    parent: addressAt(parent) ?? parent,
    translationOf: addressAt(translationOf) ?? translationOf,
  };
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
