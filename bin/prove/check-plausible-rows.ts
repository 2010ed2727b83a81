import type { App } from '#app/app.ts';
import { parseJson } from '#app/platform/json.ts';
import { listOf } from '#app/posts/lists.ts';
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
  await checkTerms(app, problems);
  await checkComments(app, problems);
  await checkPlans(app, problems);
  await checkAddresses(app, problems);
}

async function checkPosts(app: App, problems: ProblemList): Promise<void> {
  const settings = await readSettings(app);
  const select = {
    ...{ id: true, slug: true, title: true, status: true, publishedAt: true, type: true, language: true },
    ...{ listedIn: true, tableOfContents: true, version: true, wordCount: true },
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
    if (!isJson(post.tableOfContents)) problems.add(`${name} has a table of contents that cannot be read.`);
    if (post.version < 1 || post.wordCount < 0)
      problems.add(`${name} has a version or word count below its least.`);
  }
  const nameless = await app.db.postAuthor.findMany({ where: { userId: null, name: '' }, take: PAGE });
  for (const { postId } of nameless) problems.add(`An author of the post ${postId} has no name.`);
}

async function checkPeople(app: App, problems: ProblemList): Promise<void> {
  for (const { username, displayName, passwordHash, links } of await app.db.user.findMany()) {
    if (passwordHash !== null && !/^\$2[aby]\$\d\d\$.{53}$/.test(passwordHash))
      problems.add(`The account ${username} has a password that cannot be checked.`);
    if (displayName.trim() === '') problems.add(`The account ${username} has no name to show.`);
    if (links !== '' && !isJson(links))
      problems.add(`The account ${username} has links that cannot be read.`);
  }
}

async function checkTerms(app: App, problems: ProblemList): Promise<void> {
  const blank = { where: { name: '' }, select: { slug: true }, take: PAGE };
  for (const { slug } of await app.db.category.findMany(blank))
    problems.add(`The category ${slug} has no name.`);
  for (const { slug } of await app.db.tag.findMany(blank)) problems.add(`The tag ${slug} has no name.`);
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

/** Checks stored texts that the editor or a trigger will read later: revisions, updates, releases. */
async function checkPlans(app: App, problems: ProblemList): Promise<void> {
  const read = (after: string) =>
    app.db.revision.findMany({
      where: { id: { gt: after } },
      select: { id: true, fields: true },
      orderBy: { id: 'asc' },
      take: PAGE,
    });
  for await (const { id, fields } of inPages(read))
    if (!isJson(fields)) problems.add(`The revision ${id} cannot be read.`);
  for (const { postId, fields } of await app.db.scheduledUpdate.findMany())
    if (!isJson(fields)) problems.add(`The scheduled update of the post ${postId} cannot be read.`);
  for (const { name } of await app.db.release.findMany({ where: { status: 'scheduled', publishAt: null } }))
    problems.add(`The release “${name}” is scheduled without a time.`);
  for (const { id, fields, undo } of await app.db.releaseItem.findMany())
    if (!isJson(fields) || (undo !== null && !isJson(undo)))
      problems.add(`The change ${id} of a release cannot be read.`);
  for (const { id, details } of await app.db.trashItem.findMany())
    if (!isJson(details)) problems.add(`The trash entry ${id} cannot be brought back.`);
}

async function checkAddresses(app: App, problems: ProblemList): Promise<void> {
  for (const { path, postId, categoryId, tagId } of await app.db.redirect.findMany()) {
    if (!path.startsWith('/')) problems.add(`The redirect ${path} is no address of this site.`);
    if ([postId, categoryId, tagId].every((target) => target === null))
      problems.add(`The redirect ${path} leads nowhere.`);
  }
  for (const { url, details } of await app.db.embed.findMany())
    if (details !== '' && !isJson(details)) problems.add(`What ${url} shows in a post cannot be read.`);
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

function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}
