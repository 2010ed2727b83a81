import type { SourcePost } from './source-post.ts';

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
