import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { insertRows } from '#app/platform/database/insert-rows.server.ts';
import { say } from '#app/platform/message.ts';
import type { Clocked } from '#app/platform/services.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { intentFor } from '#app/posts/fields/states.ts';
import { storeFields } from '#app/posts/fields/stored.ts';
import { ownSlug } from '#app/posts/paths.ts';
import { termTable, type TermKind } from '#app/posts/terms/find.server.ts';
import {
  type PublicChange,
  changePublicContent,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import {
  resolveAuthors,
  setPostAuthors,
  ensureTags,
} from '#app/publishing/post-row/tags-and-authors.server.ts';
import { storeOutcome } from '#app/publishing/post-row/history.server.ts';
import { columnsOf, resolveReferences, readPost } from '#app/publishing/post-row/row.server.ts';
import { writePost } from '#app/publishing/post-row/write.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { type PlannedPost, type ImportPlan, Reservations, findAccount, planImport } from './plan.server.ts';
import type { ResolvedComment, ImportedAuthor, ResolvedPost } from './resolved-post.ts';

const ROWS_AT_ONCE = 200;

/**
 * Sets exactly these comments on a post. Only imports write comments, so the present ones came from the same source.
 */
async function replaceComments(
  tx: Transaction,
  clock: Clock,
  postId: string,
  comments: ResolvedComment[],
): Promise<void> {
  await tx.comment.deleteMany({ where: { postId } });
  const ids = comments.map(() => newId(clock));
  const createdAt = clock.now();
  const rows = comments.map(({ parent, ...comment }, position) => ({
    ...comment,
    id: ids[position]!,
    postId,
    position,
    parentId: parent === null ? null : ids[parent]!,
    createdAt,
  }));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await tx.comment.createMany({ data: rows.slice(from, from + ROWS_AT_ONCE) });
}

/** A planned post with the ids of its category and its author. */
interface NewPost {
  post: PlannedPost;
  fields: PostFields;
  authorId: string | null;
}

/**
 * Writes new posts with their tags, authors, comments and first revisions. Uses one statement per table: an import
 * spends most of its time here.
 * @returns their ids, in order
 */
async function createImported(
  app: Clocked,
  { tx, now, affectsWritten }: PublicChange,
  posts: NewPost[],
  settings: Settings,
): Promise<string[]> {
  if (posts.length === 0) return [];
  const rows = [];
  for (const { post, fields: requested, authorId } of posts) {
    const authors = await resolveAuthors(tx, requested.authors);
    // The category needs no check: this transaction created or found it.
    const isComplete = requested.coverMediaId === null && requested.translationOf === null;
    const resolved = isComplete ? requested : await resolveReferences(tx, requested, null);
    const fields = { ...resolved, authors: authors.map(({ name }) => name) };
    rows.push({ id: newId(app.clock), post, fields, authorId, authors });
  }
  await insertRows(
    tx,
    'posts',
    rows.map(({ id, post, fields, authorId }) => ({
      ...columnsOf(fields, post.rendered, { slug: post.address, settings }),
      id,
      status: post.status,
      hasBeenPublic: post.status === 'published',
      authorId,
      sourceGuid: post.guid,
      contentUpdatedAt: lastSeenChange(post, now),
      createdAt: now,
      updatedAt: now,
    })),
  );
  const tagsOf = await insertPostTags(
    app,
    tx,
    rows.map(({ id, post }) => ({ postId: id, tags: post.tags })),
  );
  await insertRows(
    tx,
    'revisions',
    rows.map(({ id, post, fields, authorId }) => ({
      id: newId(app.clock),
      postId: id,
      postVersion: 1,
      kind: 'import',
      authorId,
      fields: storeFields({ ...fields, tags: tagsOf.get(id) ?? [] }),
      summary: toStored(say('Imported ({source})', { source: post.source })),
      outcome: storeOutcome({ changed: [], from: 'draft', to: post.status }),
      createdAt: now,
      updatedAt: now,
    })),
  );
  for (const { id, post, authors } of rows) {
    if (post.comments.length > 0) await replaceComments(tx, app.clock, id, post.comments);
    if (authors.length > 0) await setPostAuthors(tx, id, authors);
    if (post.status === 'published') affectsWritten(id);
  }
  return rows.map(({ id }) => id);
}

/**
 * Inserts the tags of posts.
 * @returns each post's tag names, as the existing tags spell them
 */
async function insertPostTags(
  app: Clocked,
  tx: PublicChange['tx'],
  posts: { postId: string; tags: PlannedPost['tags'] }[],
): Promise<Map<string, string[]>> {
  const tagsToCreate = posts.flatMap(({ tags }) => tags);
  if (tagsToCreate.length === 0) return new Map();
  const bySlug = new Map(
    (await ensureTags(tx, app.clock, tagsToCreate)).map((tag, index) => [tagsToCreate[index]!.slug, tag]),
  );
  const tagged = posts.map(({ postId, tags }) => {
    return { postId, tags: [...new Set(tags.map(({ slug }) => bySlug.get(slug)!))] };
  });
  await insertRows(
    tx,
    'post_tags',
    tagged.flatMap(({ postId, tags }) =>
      tags.map(({ id: tagId }, position) => ({ postId, tagId, position })),
    ),
  );
  return new Map(tagged.map(({ postId, tags }) => [postId, tags.map(({ name }) => name)]));
}

// The time of the last change that readers saw, at the source. The import itself is no such change.
function lastSeenChange({ updatedAt, fields: { publishedAt } }: PlannedPost, now: Date): Date {
  const changedAt = updatedAt ?? publishedAt;
  return changedAt !== null && changedAt < now ? changedAt : now;
}

/**
 * Writes a batch of imported posts, new and known ones, in one transaction with the same consequences as typed posts.
 * Unlike a form, an import may contain a scheduled post whose time has passed: the next trigger publishes it. The
 * caller runs `drainOutbox` after its last batch, which updates the search index.
 * @returns what was done.
 */
export async function importPosts(app: PublishingContext, posts: ResolvedPost[]): Promise<ImportPlan> {
  return changePublicContent(
    app,
    async (change) => {
      const settings = await readSettings({ db: change.tx });
      const plan = await planImport(change.tx, posts, { reservations: new Reservations(), settings });
      const categories = await ensureCategories(app, change, plan);
      const authors = await ensureAuthors(app, change, plan);
      const resolved: NewPost[] = [];
      for (const post of plan.posts)
        resolved.push({
          post,
          fields: {
            ...post.fields,
            slug: ownSlug(post.address),
            categoryId: post.category === null ? null : categories.get(post.category.slug)!,
          },
          authorId: post.author ? await authors(post.author) : null,
        });
      const isNew = ({ post }: NewPost) => post.postId === null;
      const created = resolved.filter(isNew);
      const ids = await createImported(app, change, created, settings);
      await recordOrigins(
        change,
        created.map(({ post }, index) => ({ post, postId: ids[index]! })),
      );
      for (const imported of resolved.filter((imported) => !isNew(imported))) {
        await updateImported(app, change, imported, settings);
        await recordOrigins(change, [{ post: imported.post, postId: imported.post.postId! }]);
      }
      await createTermRedirects(change, plan);
      return plan;
    },
    { drain: false },
  );
}

async function updateImported(
  app: PublishingContext,
  change: PublicChange,
  { post, fields, authorId }: NewPost,
  settings: Settings,
): Promise<void> {
  const current = await readPost(change.tx, { postId: post.postId! });
  const before = await readPostFields(change.tx, current);
  // A source says nothing of the newsletter: what an editor has chosen here stays.
  const { sendByEmail, emailSubject, emailPreview } = before;
  await writePost(app, change, {
    current,
    before,
    requested: { ...fields, sendByEmail, emailSubject, emailPreview },
    rendered: post.rendered,
    intent: intentFor[post.status],
    kind: 'import',
    editorId: authorId,
    settings,
    tags: post.tags,
    times: { publishedAt: fields.publishedAt, archiveAt: fields.archiveAt },
    reason: say('Imported again ({source})', { source: post.source }),
    waiting: { onConflict: 'keep' },
    authorId,
    sourceGuid: post.guid,
  });
  await replaceComments(change.tx, app.clock, current.id, post.comments);
}

/** Writes the redirects to posts, and records which item of the source each post came from. */
async function recordOrigins(
  { tx, now, affectsPaths }: PublicChange,
  posts: { post: PlannedPost; postId: string }[],
): Promise<void> {
  const redirects = posts.flatMap(({ post, postId }) =>
    post.newRedirects.map((path) => ({ path, postId, createdAt: now })),
  );
  if (redirects.length > 0) {
    // A cached page may be the 404 of one of these addresses.
    affectsPaths(...redirects.map(({ path }) => path));
    await insertRows(tx, 'redirects', redirects);
  }
  for (const source of new Set(posts.map(({ post }) => post.source))) {
    const rows = posts.filter(({ post }) => post.source === source);
    const itemKey = { in: rows.map(({ post }) => post.key) };
    const existing = await tx.importItem.findMany({ where: { source, itemKey } });
    const createdAt = new Map(existing.map((row) => [row.itemKey, row.createdAt]));
    if (existing.length > 0) await tx.importItem.deleteMany({ where: { source, itemKey } });
    await insertRows(
      tx,
      'import_items',
      rows.map(({ post: { key, hash }, postId }) => ({
        source,
        itemKey: key,
        contentHash: hash,
        postId,
        createdAt: createdAt.get(key) ?? now,
        updatedAt: now,
      })),
    );
  }
}

async function ensureCategories(
  app: Clocked,
  { tx, now }: PublicChange,
  plan: ImportPlan,
): Promise<Map<string, string>> {
  await tx.category.createMany({
    data: plan.newCategories.map((category) => ({
      ...category,
      id: newId(app.clock),
      createdAt: now,
      updatedAt: now,
    })),
  });
  const slugs = plan.posts.flatMap(({ category }) => category?.slug ?? []);
  const rows = await tx.category.findMany({
    where: { slug: { in: slugs } },
    select: { id: true, slug: true },
  });
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

/** Creates accounts for unknown authors. They are disabled until an administrator enables them. */
async function ensureAuthors(
  app: Clocked,
  { tx, now }: PublicChange,
  plan: ImportPlan,
): Promise<(author: ImportedAuthor) => Promise<string>> {
  await tx.user.createMany({
    data: plan.newAuthors.map(({ username, name, email, bio }) => ({
      id: newId(app.clock),
      username,
      displayName: name,
      bio,
      // An account must have an email address. Nobody can ever receive mail at this one (RFC 2606).
      email: email || `${username}@imported.invalid`,
      role: 'author',
      disabledAt: now,
      createdAt: now,
      updatedAt: now,
    })),
  });
  const accountIds = new Map<string, string>();
  return async (author) => {
    const key = JSON.stringify(author);
    const id = accountIds.get(key) ?? (await findAccount(tx, author))!.id;
    accountIds.set(key, id);
    return id;
  };
}

async function createTermRedirects({ tx, now }: PublicChange, plan: ImportPlan): Promise<void> {
  if (plan.newTermRedirects.length === 0) return;
  const idsOf = async (kind: TermKind) => {
    const slugs = plan.newTermRedirects.filter((redirect) => redirect.kind === kind).map(({ slug }) => slug);
    const rows = await termTable(tx, kind).findMany({
      where: { slug: { in: slugs } },
      select: { id: true, slug: true },
    });
    return new Map(rows.map(({ id, slug }) => [slug, id]));
  };
  const ids = { category: await idsOf('category'), tag: await idsOf('tag') };
  await tx.redirect.createMany({
    data: plan.newTermRedirects.map(({ path, kind, slug }) => ({
      path,
      [kind === 'category' ? 'categoryId' : 'tagId']: ids[kind].get(slug)!,
      createdAt: now,
    })),
  });
}
