import type { Db } from '#app/platform/services.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { readUndoOffer } from '#app/admin/frame/undo.server.ts';
import { postsVisibleTo, mayActOnPost, type Actor } from '#app/people/roles.ts';
import { countEachList } from '#app/posts/lists/counts.server.ts';
import { textOrder } from '#app/posts/lists/translations.server.ts';
import { listVisibleTags } from '#app/posts/terms/queries.server.ts';
import { bulkActionsFor } from './bulk-actions.ts';
import { findPosts, countMatchingPosts, listMatchingPosts, type ListedPost } from './queries.server.ts';
import { readListQuery } from './list-query.ts';
import type { RowAction } from './row-actions.tsx';

const CHOICES_OFFERED = 500;

export async function load(args: ScreenArguments) {
  const { app, request, user } = args;
  const parameters = new URL(request.url).searchParams;
  const query = readListQuery(parameters);
  const visible = postsVisibleTo(user);
  const byName = { orderBy: { name: 'asc' }, take: CHOICES_OFFERED } as const;
  const matches = query.q ? await findPosts(app, query.q, visible) : null;
  const [page, counts, categories, tags, authors] = await Promise.all([
    listMatchingPosts(app, query, visible, matches?.ids),
    countMatchingPosts(app, query, visible, matches?.ids),
    app.db.category.findMany({ select: { id: true, name: true }, ...byName }),
    listVisibleTags(app, user, CHOICES_OFFERED),
    listAuthors(app, visible),
  ]);
  // The database sorts capitals before small letters.
  const order = await textOrder(app, args.adminContext.language);
  const inOrder = (a: { name: string }, b: { name: string }) => order(a.name, b.name);
  return {
    ...page,
    posts: page.posts.map((post) => ({ ...post, actions: rowActionsFor(user, post) })),
    query,
    counts,
    isCut: matches?.isCut ?? false,
    choices: {
      categories: categories.sort(inOrder),
      tags: tags.sort(inOrder),
      authors: authors.sort((a, b) => order(a.displayName, b.displayName)),
    },
    actions: bulkActionsFor(user),
    changed: readChanged(parameters),
    undo: await readUndoOffer(args, 'posts'),
  };
}

/** What the row of a post offers this user. */
function rowActionsFor(user: Actor, post: ListedPost): RowAction[] {
  const isPublic = post.status === 'published';
  const may = (action: 'publish' | 'archive' | 'delete') => mayActOnPost(user, post, action);
  return [
    'edit',
    ...(isPublic ? (['view'] as const) : may('publish') ? (['publish'] as const) : []),
    ...(isPublic && may('archive') ? (['archive'] as const) : []),
    'duplicate',
    ...(may('delete') ? (['delete'] as const) : []),
  ];
}

/** The authors to filter by: everybody who has posts, or only the user. */
async function listAuthors(app: Db, visible: { authorId?: string }) {
  const authorIds = visible.authorId ? [visible.authorId] : [...(await countEachList(app, 'author')).keys()];
  return app.db.user.findMany({
    where: { id: { in: authorIds } },
    select: { id: true, displayName: true },
    orderBy: { displayName: 'asc' },
    take: CHOICES_OFFERED,
  });
}

/** The number of changed posts after a bulk action, from the address; the message shows it. */
function readChanged(parameters: URLSearchParams): number | null {
  const changed = parameters.get('changed');
  return changed !== null && /^\d{1,4}$/.test(changed) ? Number(changed) : null;
}
