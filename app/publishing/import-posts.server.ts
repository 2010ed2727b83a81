import type { App } from '#app/app.ts';
import { newId } from '#app/platform/clock.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import { ownSlug } from '#app/posts/paths.ts';
import type { PostFields } from '#app/posts/fields.ts';
import { intentFor } from '#app/posts/states.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import {
  Claims,
  planImport,
  type ImportedAuthor,
  type ResolvedPost,
  type ImportPlan,
  type PlannedPost,
} from './plan-import.server.ts';
import { findAccount } from './plan-names.server.ts';
import { resolveAuthors, setPostAuthors } from './post-authors.server.ts';
import { columnsOf, readPost, resolveReferences } from './post-row.server.ts';
import { replaceComments } from './replace-comments.server.ts';
import { setPostTags } from './post-tags.server.ts';
import { changePublicContent, type PublishingContext, type PublicChange } from './public-change.server.ts';
import { writeRevision } from './revisions.server.ts';
import { termTable, type TermKind } from '#app/taxonomy/term-table.server.ts';
import { writePost } from './write-post.server.ts';

/**
 * Writes a batch of imported posts, new and known ones, in one transaction with the consequences that
 * typed posts have. Unlike a form, an import may bring a scheduled post whose time has passed: the next trigger publishes it.
 * The search index follows with `drainOutbox`, which the caller runs after its last batch.
 * @returns what was done.
 */
export async function importPosts(app: PublishingContext, posts: ResolvedPost[]): Promise<ImportPlan> {
  const settings = await readSettings(app);
  return changePublicContent(
    app,
    async (change) => {
      const plan = await planImport(change.tx, posts, new Claims());
      const categories = await ensureCategories(app, change, plan);
      const authors = await ensureAuthors(app, change, plan);
      for (const post of plan.posts) {
        const authorId = post.author ? await authors(post.author) : null;
        const fields: PostFields = {
          ...post.fields,
          slug: ownSlug(post.address),
          categoryId: post.category === null ? null : categories.get(post.category.slug)!,
        };
        const postId =
          post.postId === null
            ? await createImported(app, change, post, { fields, authorId, settings })
            : await updateImported(app, change, post, { fields, authorId, settings });
        await leaveMarks(change, post, postId);
      }
      await leaveTermRedirects(change, plan);
      return plan;
    },
    { drain: false },
  );
}

interface Resolved {
  fields: PostFields;
  authorId: string | null;
  settings: Settings;
}

async function createImported(
  app: Pick<App, 'clock'>,
  { tx, now, affectsWritten }: PublicChange,
  post: PlannedPost,
  { fields: wanted, authorId, settings }: Resolved,
): Promise<string> {
  const id = newId(app.clock);
  const authors = await resolveAuthors(tx, wanted.authors);
  const resolved = await resolveReferences(tx, wanted, null);
  const fields = { ...resolved, authors: authors.map(({ name }) => name) };
  const isPublic = post.status === 'published';
  await tx.post.create({
    data: {
      ...columnsOf(fields, post.rendered, { slug: post.address, settings }),
      id,
      status: post.status,
      hasBeenPublic: isPublic,
      authorId,
      sourceGuid: post.guid,
      contentUpdatedAt: shownSince(post, now),
      createdAt: now,
      updatedAt: now,
    },
  });
  await setPostTags(tx, app.clock, id, post.tags);
  if (post.comments.length > 0) await replaceComments(tx, app.clock, id, post.comments);
  if (authors.length > 0) await setPostAuthors(tx, id, authors);
  await writeRevision(tx, app.clock, {
    postId: id,
    postVersion: 1,
    kind: 'import',
    authorId,
    fields,
    summary: `Imported (${post.source})`,
  });
  if (isPublic) affectsWritten(id);
  return id;
}

async function updateImported(
  app: Pick<App, 'clock'>,
  change: PublicChange,
  post: PlannedPost,
  { fields, authorId, settings }: Resolved,
): Promise<string> {
  const current = await readPost(change.tx, { postId: post.postId! });
  await writePost(app, change, {
    current,
    before: await readPostFields(change.tx, current),
    wanted: fields,
    rendered: post.rendered,
    intent: intentFor[post.status],
    kind: 'import',
    editorId: authorId,
    settings,
    tags: post.tags,
    times: { publishedAt: fields.publishedAt, archiveAt: fields.archiveAt },
    reason: `Imported again (${post.source})`,
    authorId,
    sourceGuid: post.guid,
  });
  await replaceComments(change.tx, app.clock, current.id, post.comments);
  return current.id;
}

/** The redirects to a post, and where it came from. */
async function leaveMarks(
  { tx, now, affectsEveryPage }: PublicChange,
  post: PlannedPost,
  postId: string,
): Promise<void> {
  const { source, key: itemKey, hash: contentHash } = post;
  if (post.newRedirects.length > 0) {
    // Kept pages say that there is nothing at these addresses.
    affectsEveryPage();
    await tx.redirect.createMany({
      data: post.newRedirects.map((path) => ({ path, postId, createdAt: now })),
    });
  }
  await tx.importItem.upsert({
    where: { source_itemKey: { source, itemKey } },
    create: { source, itemKey, contentHash, postId, createdAt: now, updatedAt: now },
    update: { contentHash, postId, updatedAt: now },
  });
}

// What readers see was last changed at the source, not by moving it here.
function shownSince({ updatedAt, fields: { publishedAt } }: PlannedPost, now: Date): Date {
  const known = updatedAt ?? publishedAt;
  return known !== null && known < now ? known : now;
}

async function ensureCategories(
  app: Pick<App, 'clock'>,
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

/** Authors whom nobody knows become accounts that cannot log in, until an administrator lets them. */
async function ensureAuthors(
  app: Pick<App, 'clock'>,
  { tx, now }: PublicChange,
  plan: ImportPlan,
): Promise<(author: ImportedAuthor) => Promise<string>> {
  await tx.user.createMany({
    data: plan.newAuthors.map(({ username, name, email, bio }) => ({
      id: newId(app.clock),
      username,
      displayName: name,
      bio,
      // An account must have an address; at this one nobody can ever receive mail (RFC 2606).
      email: email || `${username}@imported.invalid`,
      role: 'author',
      disabledAt: now,
      createdAt: now,
      updatedAt: now,
    })),
  });
  const known = new Map<string, string>();
  return async (author) => {
    const key = JSON.stringify(author);
    const id = known.get(key) ?? (await findAccount(tx, author))!.id;
    known.set(key, id);
    return id;
  };
}

async function leaveTermRedirects({ tx, now }: PublicChange, plan: ImportPlan): Promise<void> {
  if (plan.newTermRedirects.length === 0) return;
  const idsOf = async (kind: TermKind) => {
    const slugs = plan.newTermRedirects.filter((one) => one.kind === kind).map(({ slug }) => slug);
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
