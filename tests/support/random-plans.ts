import { byCommand } from '#app/people/audit/audit.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { postPath } from '#app/posts/paths.ts';
import { changePublicContent } from '#app/publishing/change/public-change.server.ts';
import { createPost, editPost, type SavedPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import {
  addPostsToRelease,
  archivePostInRelease,
  keepChangeInRelease,
} from '#app/publishing/releases/items.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { rollBackRelease } from '#app/publishing/releases/roll-back.server.ts';
import { keepTextsInRelease } from '#app/publishing/releases/texts.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import type { TestApp } from './app.ts';
import { createCategory, createTag } from './factories.ts';
import type { Next } from './random-release.ts';
import { changeDirectly, mergeSomeTags, randomTexts, trashSomeTerm, zones } from './random-texts.ts';

const MINUTE = 60_000;
const POSTS = 8;

/** A site with some terms and accounts, to which plans are added. */
export interface RandomSite {
  editorIds: string[];
  tag: { id: string; name: string };
  category: { id: string };
  posts: SavedPost[];
}

/** Lists, feeds and terms of a random site, now or later. */
const listAddresses = [
  '/',
  '/archive',
  '/tags',
  '/categories',
  '/rss.xml',
  '/atom.xml',
  '/feed.json',
  '/sitemap.xml',
  '/nothing',
  '/stories',
  '/old/way',
  '/tags/harbour',
  '/tags/port',
  '/categories/sea',
  '/categories/ocean',
];

/** The addresses with which a crawl of a random site begins, even if no page links to them. */
export async function crawlStartsOf(app: TestApp): Promise<string[]> {
  const posts = await app.db.post.findMany({ select: { slug: true } });
  const redirects = await app.db.redirect.findMany({ select: { path: true } });
  return [...listAddresses, ...posts.map(({ slug }) => postPath(slug)), ...redirects.map(({ path }) => path)];
}

/** Removes the content of an earlier instance; accounts stay. */
export async function emptySite(app: TestApp): Promise<void> {
  await changePublicContent(app, async ({ tx, affects, affectsEveryPage }) => {
    const posts = await tx.post.findMany({ select: { id: true } });
    await tx.release.deleteMany();
    await tx.post.deleteMany();
    await tx.tag.deleteMany();
    await tx.category.deleteMany();
    await tx.redirect.deleteMany();
    await tx.trashItem.deleteMany();
    await tx.setting.deleteMany();
    await tx.textChange.deleteMany();
    affects(...posts.map(({ id }) => id));
    affectsEveryPage();
  });
}

/** The settings, category and tag before any plan takes effect. */
export async function beginRandomSite(app: TestApp, editorIds: string[], next: Next): Promise<RandomSite> {
  await changeSettings(app, {
    site_timezone: zones[next() % zones.length]!,
    site_title: 'Before',
    posts_per_page: String(2 + next()),
    site_languages: next() < 3 ? 'de' : '',
  });
  const tag = await createTag(app, { name: 'Harbour', slug: 'harbour' });
  const category = await createCategory(app, { name: 'Sea', slug: 'sea' });
  return { editorIds, tag, category, posts: [] };
}

/** The fields of a post that differ from those of the others. */
function randomFields(site: RandomSite, index: number, next: Next) {
  return {
    title: `Post ${index} ${next()}`,
    slug: `post-${index}`,
    body: `Words ${'harbour '.repeat(1 + next())}\n\n[link](/posts/post-${next()}) and <https://blog.example.org/posts/post-1>`,
    tags: [...(next() < 5 ? [site.tag.name] : []), `Tag ${next() % 3}`],
    categoryId: next() < 4 ? site.category.id : null,
    excerpt: next() < 4 ? `In short ${next()}` : '',
    type: next() < 2 ? ('page' as const) : ('post' as const),
    language: next() < 2 ? 'de' : '',
  };
}

/**
 * Posts in all states with plans of every kind: publications, updates, archives, and releases with changes of posts,
 * terms, people, redirects and settings, one of them a rollback.
 * @param times of the plans: `soon` before the instant, `never` after it
 */
export async function makePlans(
  app: TestApp,
  site: RandomSite,
  next: Next,
  times: { soon: () => Date; never: () => Date },
): Promise<void> {
  const { soon, never } = times;
  const editorOf = () => site.editorIds[next() % site.editorIds.length]!;
  const release = async (publishAt: Date) => {
    const { id } = await createRelease(app, { name: 'R', publishAt, step: 'schedule', by: byCommand });
    return id;
  };
  const releases = [await release(soon()), await release(never()), await release(soon())];
  for (const releaseId of releases) {
    const editorId = editorOf();
    await keepTextsInRelease(app, { releaseId, editorId, wanted: randomTexts(site, next), replaces: false });
  }
  for (let index = 0; index < POSTS; index += 1) {
    const fields = randomFields(site, index, next);
    const [editorId, releaseId] = [editorOf(), releases[next() % releases.length]!];
    const kind = next() % 6;
    if (kind === 0) {
      const publishedAt = next() < 7 ? soon() : never();
      await createPost(app, { intent: 'schedule', fields: { ...fields, publishedAt }, editorId });
      continue;
    }
    const intent = kind === 1 ? 'save' : 'publish';
    const post = await createPost(app, { intent, fields, editorId });
    site.posts.push(post);
    const change = { postId: post.id, releaseId, version: post.version, editorId };
    if (kind === 1) await addPostsToRelease(app, { releaseId, postIds: [post.id], editorId });
    if (kind === 2) {
      const slug = next() < 5 ? `moved-${index}` : `post-${index}`;
      const wanted = { title: `Changed ${index}`, slug, body: 'New *words*', tags: ['Fresh'] };
      await keepChangeInRelease(app, { ...change, fields: wanted });
    }
    if (kind === 3) {
      const changeAt = next() < 7 ? soon() : never();
      await scheduleUpdate(app, { ...change, fields: { body: 'Updated' }, changeAt });
    }
    if (kind === 4 && next() < 5) await archivePostInRelease(app, change);
    else if (kind === 4) await editPost(app, { ...change, intent: 'save', fields: { archiveAt: soon() } });
  }
  if (next() < 5) await planRollback(app, site, next, soon());
}

/** A published release with a scheduled rollback. */
async function planRollback(app: TestApp, site: RandomSite, next: Next, rollbackAt: Date): Promise<void> {
  const editorId = site.editorIds[0]!;
  const { id } = await createRelease(app, { name: 'Back soon', step: 'save', by: byCommand });
  await keepTextsInRelease(app, {
    releaseId: id,
    editorId,
    wanted: randomTexts(site, next),
    replaces: false,
  });
  for (const { id: postId } of site.posts.filter(() => next() < 3)) {
    const post = await app.db.post.findUniqueOrThrow({ where: { id: postId } });
    if (post.status !== 'published') continue;
    const change = { postId, releaseId: id, version: post.version, editorId };
    await keepChangeInRelease(app, { ...change, fields: { title: `For now ${next()}`, body: 'For now' } });
  }
  await publishRelease(app, { id, by: byCommand });
  await rollBackRelease(app, { id, rollbackAt, by: byCommand });
}

/** A random change by an editor. The site's records contain it later. */
export async function doSomething(
  app: TestApp,
  site: RandomSite,
  next: Next,
  soon: () => Date,
): Promise<void> {
  const editorId = site.editorIds[next() % site.editorIds.length]!;
  const index = site.posts.length;
  const chosen = site.posts[(next() * 10 + next()) % Math.max(1, site.posts.length)];
  const row = chosen && (await app.db.post.findUniqueOrThrow({ where: { id: chosen.id } }));
  const kind = next();
  if (!row || (kind < 3 && index < POSTS)) {
    const intent = (['publish', 'publish', 'schedule', 'save'] as const)[next() % 4]!;
    const fields = { ...randomFields(site, index, next), publishedAt: intent === 'schedule' ? soon() : null };
    site.posts.push(await createPost(app, { intent, fields, editorId }));
    return;
  }
  const edit = { postId: row.id, version: row.version, editorId };
  try {
    if (kind < 5) {
      const fields = {
        title: `Again ${next()}`,
        ...(next() < 5 && { body: `Other words ${next()}` }),
        ...(next() < 3 && { slug: `moved-${next()}` }),
        ...(next() < 2 && { archiveAt: soon() }),
      };
      await editPost(app, { ...edit, intent: 'save', fields });
    } else if (kind === 5) {
      const intent = (['archive', 'draft', 'publish', 'publish'] as const)[next() % 4]!;
      await editPost(app, { ...edit, intent, fields: {} });
    } else if (kind === 6)
      await scheduleUpdate(app, { ...edit, fields: { body: `Updated ${next()}` }, changeAt: soon() });
    else if (kind === 7 && next() < 3) await trashPost(app, { postId: row.id, editorId });
    else if (kind === 8 && next() < 2) await trashSomeTerm(app, site, next);
    else if (kind === 9 && next() < 3) await mergeSomeTags(app, next);
    else if (kind >= 7 && next() < 5)
      for (const wanted of randomTexts(site, next)) await changeDirectly(app, wanted);
    else await publishSomething(app, site, next, { ...edit, isPublic: row.status === 'published' });
  } catch (error) {
    // A post's state or address may forbid the change.
    if (!isAppError(error)) throw error;
  }
}

async function publishSomething(
  app: TestApp,
  site: RandomSite,
  next: Next,
  edit: { postId: string; version: number; editorId: string; isPublic: boolean },
): Promise<void> {
  const { id } = await createRelease(app, { name: 'Now', step: 'save', by: byCommand });
  const { editorId } = edit;
  await keepTextsInRelease(app, {
    releaseId: id,
    editorId,
    wanted: randomTexts(site, next),
    replaces: false,
  });
  const change = { ...edit, releaseId: id };
  if (!edit.isPublic) await addPostsToRelease(app, { releaseId: id, postIds: [edit.postId], editorId });
  else if (next() < 3) await archivePostInRelease(app, change);
  else
    await keepChangeInRelease(app, { ...change, fields: { title: `Released ${next()}`, tags: ['Fresh'] } });
  await publishRelease(app, { id, by: byCommand });
  if (next() < 4) {
    app.clock.advance(MINUTE);
    await rollBackRelease(app, { id, by: byCommand });
  }
}
