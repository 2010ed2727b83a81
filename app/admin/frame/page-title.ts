import type { PageId, ScreenData } from '../screen-types.ts';

/** The names of the things that screens are about, read from their data. Other screens have a title only. */
const names: { readonly [Id in PageId]?: (data: ScreenData<Id>) => string } = {
  editor: ({ values }) => values.title ?? '',
  revisions: ({ post }) => post.title,
  previews: ({ post }) => post.title,
  publish: (data) => ('post' in data ? data.post.title : ''),
  category: ({ term }) => term.name,
  tag: ({ term }) => term.name,
  release: ({ release }) => release.name,
  'media-item': ({ media }) => media.name,
  user: ({ user }) => user.displayName,
};

/** The screens that edit the thing itself: its name alone is their title. */
const editors: ReadonlySet<PageId> = new Set(['editor', 'category', 'tag', 'release', 'media-item', 'user']);

/** The title of a page: the name of what it is about, and what it does with it. */
export function pageTitle<Id extends PageId>(id: Id, title: string, data: ScreenData<Id>): string {
  const name = names[id]?.(data).trim();
  if (!name) return title;
  return editors.has(id) ? name : `${name} · ${title}`;
}

/** The title of the browser's tab. */
export function tabTitle(title: string, siteTitle: string): string {
  return `${title} · ${siteTitle}`;
}
