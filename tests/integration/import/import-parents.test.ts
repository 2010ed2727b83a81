import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exportContent } from '#app/export/export-content.server.ts';
import { exportTargetNames, type ExportTargetName } from '#app/export/targets.ts';
import { PAGES_LIST } from '#app/posts/lists/scope.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { createPost } from '#tests/support/factories.ts';
import { importResult } from '#tests/support/import.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';
import { blogUrl, wxrFile, type WxrItemOptions } from '#tests/support/wxr.ts';

const createPage = (app: TestApp, slug: string, fields: Parameters<typeof createPost>[1] = {}) =>
  createPost(app, { type: 'page', listedIn: PAGES_LIST, status: 'published', slug, ...fields });

/** The addresses of posts and pages, each with that of its parent or original; `theirs` were on the site before. */
async function addressesOf(app: TestApp, theirs: string[]) {
  const rows = await app.db.post.findMany({ orderBy: { slug: 'asc' } });
  const slugOf = (id: string | null) => rows.find((row) => row.id === id)?.slug ?? null;
  return Object.fromEntries(
    rows
      .filter(({ id }) => !theirs.includes(id))
      .map(({ slug, parentId, translationOf }) => [slug, slugOf(parentId ?? translationOf)]),
  );
}

function wordpressPage(id: number, address: string, parent = 0, slug = path.posix.basename(address)) {
  const raw = `<wp:post_parent>${parent}</wp:post_parent>`;
  return {
    id,
    slug,
    type: 'page',
    link: `${blogUrl}${address}/`,
    content: 'x',
    raw,
  } satisfies WxrItemOptions;
}

test('WordPress: a page stays below its parent, whose address another page has here', async () => {
  const app = await createTestApp();
  const theirs = [(await createPage(app, '/about')).id, (await createPage(app, '/about/team')).id];
  const items = (about: string) => [
    { id: 1, slug: 'one', content: `<a href="${blogUrl}/${about}/team/lead/">a</a>` },
    // Pages before those above them.
    wordpressPage(2, `/${about}/team/lead`, 3),
    wordpressPage(3, `/${about}/team`, 4),
    wordpressPage(4, `/${about}`),
    // A plug-in for languages gives pages the same slug.
    wordpressPage(5, `/de/${about}`),
    wordpressPage(6, `/de/${about}/team`, 5),
  ];
  const folder = await folderWith({ 'a.xml': wxrFile(items('about')), 'b.xml': wxrFile(items('company')) });
  const options = { from: 'wordpress', input: `${folder}/a.xml` } as const;
  const planned = await importResult(app, { ...options, dryRun: true });
  expect(await importResult(app, options)).toEqual(planned);
  expect(await addressesOf(app, theirs)).toEqual({
    '/about-2': null,
    '/about-2/team': '/about-2',
    '/about-2/team/lead': '/about-2/team',
    '/about-3': null,
    '/about-3/team': '/about-3',
    one: null,
  });
  const { body } = await app.db.post.findUniqueOrThrow({ where: { slug: 'one' } });
  expect(body).toBe('[a](/about-2/team/lead)');
  expect(await importResult(app, options)).toMatchObject({ unchanged: 6, updated: 0 });

  // Their parents have other slugs at the source by now.
  const renamed = await importResult(app, { ...options, input: `${folder}/b.xml` });
  expect(renamed.warnings.filter((warning) => warning.includes('is not here'))).toEqual([]);
  expect(await addressesOf(app, theirs)).toEqual({
    '/company': null,
    '/company/team': '/company',
    '/company/team/lead': '/company/team',
    '/company-2': null,
    '/company-2/team': '/company-2',
    one: null,
  });
  await app.close();
});

/** Exports have posts in the order of their ids. */
const idAt = (number: number) => `00000000-0000-7000-8000-00000000000${number}`;

async function exportedBlog(to: ExportTargetName): Promise<string> {
  const app = await createTestApp();
  const about = await createPage(app, '/about', { id: idAt(1) });
  // Written before the page that it was put below later.
  const lead = await createPage(app, '/about/team/lead', { id: idAt(2) });
  const team = await createPage(app, '/about/team', { id: idAt(4), parentId: about.id });
  await app.db.post.update({ where: { id: lead.id }, data: { parentId: team.id } });
  const publishedAt = new Date('2026-01-02T03:04:05Z');
  const post = { status: 'published', publishedAt, contentUpdatedAt: publishedAt } as const;
  const original = await createPost(app, { ...post, id: idAt(3), slug: 'welcome' });
  await createPost(app, { ...post, id: idAt(5), slug: 'hallo', language: 'de', translationOf: original.id });
  const draft = await createPost(app, { id: idAt(6), slug: 'plan' });
  await createPost(app, { id: idAt(7), slug: 'a-plan', language: 'de', translationOf: draft.id });
  const outputDir = path.join(await tempFolder(), 'export');
  await exportContent(app, { outputDir, to });
  await app.close();
  return outputDir;
}

/** The number and the parent's number of each item of a WordPress export, by slug. */
async function numbersIn(folder: string) {
  const xml = await readFile(path.join(folder, 'wordpress.xml'), 'utf8');
  const valueOf = (item: string, name: string) =>
    new RegExp(`<${name}>(?:<!\\[CDATA\\[)?([^<\\]]*)`).exec(item)![1]!;
  return Object.fromEntries(
    xml
      .split('<item>')
      .slice(1)
      .map((item) => [
        valueOf(item, 'wp:post_name'),
        [Number(valueOf(item, 'wp:post_id')), Number(valueOf(item, 'wp:post_parent'))],
      ]),
  );
}

test('an export for WordPress names the page above by its number, also one that comes later', async () => {
  // The numbers are those without parents: a later import recognizes posts by them.
  expect(await numbersIn(await exportedBlog('wordpress'))).toEqual({
    about: [1, 0],
    lead: [2, 4],
    welcome: [3, 0],
    team: [4, 1],
    hallo: [5, 0],
    plan: [6, 0],
    'a-plan': [7, 0],
  });
});

test('an export for WordPress has a page whose parent is in the trash at the top, and numbers others as before', async () => {
  const app = await createTestApp();
  const about = await createPage(app, '/about', { status: 'trashed' });
  await createPage(app, '/about/team', { id: idAt(1), parentId: about.id });
  await createPost(app, { id: idAt(2), slug: 'next' });
  const outputDir = path.join(await tempFolder(), 'export');
  await exportContent(app, { outputDir, to: 'wordpress' });
  await app.close();
  expect(await numbersIn(outputDir)).toEqual({ team: [1, 0], next: [2, 0] });
});

/** Where the import finds what was exported. */
function inputOf(to: ExportTargetName, folder: string) {
  const file = { ghost: 'ghost.json', wordpress: 'wordpress.xml', markdown: '', hugo: '', jekyll: '' }[to];
  const from: 'ghost' | 'wordpress' | 'markdown' = to === 'ghost' || to === 'wordpress' ? to : 'markdown';
  return { from, input: path.join(folder, file) };
}

test.each(exportTargetNames)(
  'an export for %s: parents and originals are those of the export, whose addresses other posts have here',
  async (to) => {
    const folder = await exportedBlog(to);
    const app = await createTestApp();
    const theirs = [await createPage(app, '/about'), await createPage(app, '/about/team')];
    for (const slug of ['welcome', 'plan']) theirs.push(await createPost(app, { slug, status: 'published' }));
    const { skipped } = await importResult(app, inputOf(to, folder));
    expect(skipped).toEqual([]);
    const ids = theirs.map(({ id }) => id);
    expect(await addressesOf(app, ids)).toEqual({
      '/about-2': null,
      '/about-2/team': '/about-2',
      '/about-2/team/lead': '/about-2/team',
      'a-plan': 'plan-2',
      hallo: 'welcome-2',
      'plan-2': null,
      'welcome-2': null,
    });
    await app.close();
  },
);

test.each(exportTargetNames)(
  'an export for %s: the old addresses of pages whose parents are not in it lead to them',
  async (to) => {
    const app = await createTestApp();
    const gone = await createPage(app, '/gone', { status: 'trashed' });
    const child = await createPage(app, '/gone/child', { id: idAt(1), parentId: gone.id });
    await createPage(app, '/gone/child/leaf', { id: idAt(2), parentId: child.id });
    // Its parent was deleted permanently.
    await createPage(app, '/lost/orphan', { id: idAt(3), parentId: idAt(9) });
    const outputDir = path.join(await tempFolder(), 'export');
    await exportContent(app, { outputDir, to });
    await app.close();
    const other = await createTestApp();
    await importResult(other, inputOf(to, outputDir));
    const redirects = await other.db.redirect.findMany({ include: { post: { select: { slug: true } } } });
    const leads = Object.fromEntries(redirects.map((row) => [row.path, row.post?.slug]));
    expect(leads['/gone/child']).toBe('/child');
    expect(leads['/gone/child/leaf']).toMatch(/^(\/child)?\/leaf$/);
    expect(leads['/lost/orphan']).toBe('/orphan');
    await other.close();
  },
);
