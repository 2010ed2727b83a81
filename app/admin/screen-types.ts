import type { ActionResult, ResultOf } from '#app/admin/frame/screen.ts';
import type { ShownSubmission } from '#app/admin/login/pending-submission.tsx';
import type { Screen } from './screens.server.ts';

type ModuleOf<Id extends Screen['id']> = Awaited<ReturnType<Extract<Screen, { id: Id }>['module']>>;

/** Ids of the pages that the backend shows. `resume` is shown at the end of a login and has no address. */
export type PageId = Screen['id'] | 'resume';

/** The data of a page, typed by its loader. */
export type ScreenData<Id extends PageId> = Id extends Screen['id']
  ? Exclude<Awaited<ReturnType<ModuleOf<Id>['load']>>, Response>
  : ShownSubmission;

/** The result of a page's action, which the page shows besides its data. */
export type ScreenResult<Id extends PageId> = Id extends Screen['id']
  ? ResultOf<ActOf<ModuleOf<Id>>>
  : ActionResult;

type ActOf<Module> = Module extends { act: infer Act } ? Act : () => Promise<ActionResult>;

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

export function tabTitle(title: string, siteTitle: string): string {
  return `${title} · ${siteTitle}`;
}
