// A blog that moves from SQLite to a PostgreSQL that sorts by the rules of a language, and back.
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { crawl, type CrawledSite } from '#tests/support/crawl.ts';
import { dialects } from '#tests/support/databases.ts';
import { createCategory } from '#tests/support/factories.ts';
import { makeChange, type DrawnChange } from '#tests/support/public-changes.ts';
import { startServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const SITE = 'https://blog.example.org';
const ENTRANCES = [
  '/',
  '/archive',
  '/categories',
  '/tags',
  '/sitemap.xml',
  '/robots.txt',
  '/de',
  '/search?q=body',
];
const KINDS: DrawnChange['kind'][] = [
  'create',
  'page',
  'language',
  'term',
  'edit',
  'place',
  'setting',
  'author',
];

const apps: TestApp[] = [];
afterAll(() => Promise.all(apps.map((app) => app.close())));

async function newApp(options: Parameters<typeof createTestApp>[0]): Promise<TestApp> {
  const app = await createTestApp({ ...options, now: new Date() });
  apps.push(app);
  return app;
}

async function move(from: TestApp, to: TestApp): Promise<void> {
  const outputDir = path.join(await tempFolder(), 'backup');
  await exportBackup(from, { outputDir });
  await importBackup(to, { inputDir: outputDir, force: true });
}

async function pagesOf({ variables }: TestApp): Promise<CrawledSite> {
  const server = await startServer({ env: { ...variables, AUTH_URL: SITE } });
  try {
    return await crawl(server.client(), SITE, ENTRANCES);
  } finally {
    await server.stop();
  }
}

test.runIf(dialects.includes('postgresql'))('its public pages are the same bytes', async () => {
  const source = await newApp({ dialect: 'sqlite' });
  for (let mark = 0; mark < 40; mark += 1)
    await makeChange(source, { kind: KINDS[mark % KINDS.length]!, pick: mark * 7, other: mark * 3, mark });
  for (const name of ['Zebra', 'apple', 'Äpfel', 'b-c', 'B c', 'b_c']) {
    const { id: categoryId } = await createCategory(source, { name });
    const fields = { title: name, categoryId, tags: [`${name} tag`], body: 'Body' };
    await createPost(source, { intent: 'publish', fields, editorId: null });
  }
  const moved = await newApp({ dialect: 'postgresql', locale: 'en-US' });
  await move(source, moved);
  const back = await newApp({ dialect: 'sqlite' });
  await move(moved, back);
  const sites = await Promise.all([source, moved, back].map(pagesOf));
  expect(sites[0]!.size).toBeGreaterThan(40);
  for (const site of sites.slice(1)) expect(Object.fromEntries(site)).toEqual(Object.fromEntries(sites[0]!));
});
