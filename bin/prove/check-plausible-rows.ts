import type { App } from '#app/app.ts';
import { listOf } from '#app/posts/lists/scope.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import type { ProblemList } from './problem-list.ts';

const PAGE = 500;

/**
 * Finds rows that can be restored but that the product never writes, and that would fail for readers or the next
 * trigger.
 */
export async function checkPlausibleRows(app: App, problems: ProblemList): Promise<void> {
  await checkPosts(app, problems);
  await checkPeople(app, problems);
  await checkComments(app, problems);
  await checkReleases(app, problems);
  await checkRedirects(app, problems);
}

async function checkPosts(app: App, problems: ProblemList): Promise<void> {
  const settings = await readSettings(app);
  const select = {
    ...{ id: true, slug: true, title: true, status: true, publishedAt: true, type: true, language: true },
    ...{ listedIn: true, version: true, wordCount: true },
  } as const;
  const read = (after: string) =>
    app.db.post.findMany({ where: { id: { gt: after } }, select, orderBy: { id: 'asc' }, take: PAGE });
  for await (const post of inPages(read)) {
    const name = `The post ${post.slug}`;
    const isPublished = post.status === 'published';
    if (isPublished && post.title.trim() === '') problems.add(`${name} is published without a title.`);
    if (post.status === 'scheduled' && post.publishedAt === null)
      problems.add(`${name} is scheduled without a time: it will never be published.`);
    if (post.listedIn !== listOf({ type: asType(post.type), language: post.language }, settings))
      problems.add(`${name} is in a list of another language or kind: readers will not find it.`);
    if (post.version < 1 || post.wordCount < 0)
      problems.add(`${name} has a version or word count below its least.`);
  }
  const nameless = await app.db.postAuthor.findMany({ where: { userId: null, name: '' }, take: PAGE });
  for (const { postId } of nameless) problems.add(`An author of the post ${postId} has no name.`);
}

async function checkPeople(app: App, problems: ProblemList): Promise<void> {
  for (const { username, passwordHash } of await app.db.user.findMany())
    if (passwordHash !== null && !/^\$2[aby]\$\d\d\$.{53}$/.test(passwordHash))
      problems.add(`The account ${username} has a password that cannot be checked.`);
}

async function checkComments(app: App, problems: ProblemList): Promise<void> {
  const select = { id: true, parentId: true, postId: true, text: true, html: true } as const;
  const read = (after: string) =>
    app.db.comment.findMany({ where: { id: { gt: after } }, select, orderBy: { id: 'asc' }, take: PAGE });
  const postOf = new Map<string, string>();
  const answers: [id: string, parentId: string, postId: string][] = [];
  for await (const { id, parentId, postId, text, html } of inPages(read)) {
    postOf.set(id, postId);
    if (parentId !== null) answers.push([id, parentId, postId]);
    if (text.trim() !== '' && html === '') problems.add(`The comment ${id} has a text but shows nothing.`);
  }
  for (const [id, parentId, postId] of answers)
    if (postOf.get(parentId) !== postId)
      problems.add(`The comment ${id} answers one that is not below its post.`);
}

async function checkReleases(app: App, problems: ProblemList): Promise<void> {
  for (const { name } of await app.db.release.findMany({ where: { status: 'scheduled', publishAt: null } }))
    problems.add(`The release “${name}” is scheduled without a time.`);
}

async function checkRedirects(app: App, problems: ProblemList): Promise<void> {
  for (const { path, postId, categoryId, tagId } of await app.db.redirect.findMany())
    if ([postId, categoryId, tagId].every((target) => target === null))
      problems.add(`The redirect ${path} leads nowhere.`);
}

async function* inPages<Row extends { id: string }>(
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let after = '';
  for (;;) {
    const rows = await read(after);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

function asType(type: string): 'post' | 'page' {
  return type === 'page' ? 'page' : 'post';
}
