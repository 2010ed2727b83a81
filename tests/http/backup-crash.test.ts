import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { systemClock } from '#app/platform/clock.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { bundledProcess } from '#tests/support/bundled-process.ts';
import { startScript } from '#tests/support/child-process.ts';
import { firstDialect } from '#tests/support/databases.ts';
import { createMedia, createPost, createUser } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { contentOf } from '#tests/support/instances.ts';
import { separateFileSystem } from '#tests/support/separate-file-system.ts';
import { startServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

/** Where the process kills itself, and the site that is there then. */
const POINTS = { files: 'old', rows: 'old', commit: 'new' } as const;
const RANDOM_KILLS = process.env.NIGHTLY ? 20 : 0;
const POSTS = 60;
const PICTURES = 16;

/** What readers get of a site: addresses in the sitemap, and the pictures with their content. */
interface Site {
  backup: string;
  slugs: string[];
  pictures: Record<string, string>;
}

/** The backups are the same for both databases. */
let sites: Promise<[Site, Site]> | undefined;
const makeSites = async (): Promise<[Site, Site]> => [await makeSite('old'), await makeSite('new')];

type Moment = keyof typeof POINTS | number;

describe.each(firstDialect('sqlite'))('an import that is killed (%s)', (dialect) => {
  it('leaves wholly the old or wholly the new site', { timeout: 3_600_000 }, async () => {
    const own = await separateFileSystem();
    const testApp = await createTestApp({ dialect, variables: { UPLOADS_DIR: own.folder } });
    // Real processes share its leases, so its time must pass as theirs does.
    const app = { ...testApp, clock: systemClock };
    const [old, next] = await (sites ??= makeSites());
    await importBackup(app, { inputDir: old.backup });
    const whole = await importInProcess(app, next);
    const running = await startServer({ env: app.variables });
    const moments = Array.from({ length: RANDOM_KILLS }, () => Math.round(Math.random() * whole * 1.05));
    const met = { old: 0, new: 0 };
    for (const at of [...(Object.keys(POINTS) as (keyof typeof POINTS)[]), ...moments]) {
      await importBackup(app, { inputDir: old.backup, force: true });
      await importInProcess(app, next, at);
      const state = await stateAfter(at, running.client(), [old, next]);
      await expectWhole(app, state, state === 'old' ? old : next, [old, next]);
      met[state] += 1;
    }
    await running.stop();
    await app.close();
    await own.release();
    if (process.env.NIGHTLY) expect(Math.min(met.old, met.new)).toBeGreaterThan(0);
  });
});

/** The site that a running server shows after a kill. */
async function stateAfter(at: Moment, client: Client, [old, next]: [Site, Site]): Promise<'old' | 'new'> {
  const expected = typeof at === 'number' ? /^(?:old|new)$/ : new RegExp(`^${POINTS[at]}$`);
  // Which of the two a moment leaves is known only when every process has seen it.
  if (typeof at === 'number') await sleep(1_000);
  const seen = () => stateSeenBy(client, old, next);
  await expect.poll(seen, { message: `killed at ${at}` }).toMatch(expected);
  return (await seen()) as 'old' | 'new';
}

/** Expects that a new server shows the same site, and that nothing of the other one is left. */
async function expectWhole(
  app: Omit<TestApp, 'clock'> & Pick<App, 'clock'>,
  state: string,
  site: Site,
  [old, next]: [Site, Site],
): Promise<void> {
  const restarted = await startServer({ env: app.variables });
  expect(await stateSeenBy(restarted.client(), old, next)).toBe(state);
  await restarted.stop();
  expect((await contentOf(app)).files).toEqual(site.pictures);
  // A trigger removes half-written files an hour later.
  const left = (await readdir(app.env.uploadsDir)).filter((name) => !name.startsWith('.unfinished-'));
  expect(left).toEqual(['2026']);
  expect(await app.db.importJournal.count()).toBe(0);
}

/** A backup of a site whose posts and pictures carry a label; some pictures are in both sites. */
async function makeSite(label: string): Promise<Site> {
  const app = await createTestApp();
  const author = await createUser(app, { username: label });
  const pictures: Record<string, string> = {};
  const slugs: string[] = [];
  const media: string[] = [];
  for (let number = 0; number < PICTURES; number += 1) {
    const content = `${number % 4 === 0 ? 'both' : label} ${number} `.repeat(2_000);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const file = `2026/11/${sha256.slice(0, 32)}.webp`;
    pictures[file] = content;
    await mkdir(path.join(app.env.uploadsDir, '2026/11'), { recursive: true });
    await writeFile(path.join(app.env.uploadsDir, file), content);
    media.push((await createMedia(app, { path: file, bytes: content.length, sha256 })).id);
  }
  for (let number = 0; number < POSTS; number += 1) {
    const slug = `${label}-${number}`;
    slugs.push(slug);
    await createPost(app, {
      slug,
      status: 'published',
      authorId: author.id,
      coverMediaId: media[number % PICTURES],
      body: `${label} `.repeat(1_000),
    });
  }
  const backup = path.join(await tempFolder(), label);
  expect((await exportBackup(app, { outputDir: backup })).warnings).toEqual([]);
  await app.close();
  return { backup, slugs: slugs.sort(), pictures };
}

/**
 * Runs the import in a process of its own.
 * @param killAt where it kills itself, or after how many milliseconds it is killed
 * @returns its milliseconds; NaN when it was killed first
 */
async function importInProcess(
  app: Pick<TestApp, 'variables'>,
  site: Site,
  killAt?: Moment,
): Promise<number> {
  const point = typeof killAt === 'string' ? [killAt] : [];
  const script = startScript(await bundledProcess('import-backup'), [site.backup, ...point], {
    env: app.variables,
  });
  if (typeof killAt === 'number') {
    while (!script.stdout().includes('ready') && script.child.exitCode === null) await sleep(2);
    await sleep(killAt);
    script.child.kill('SIGKILL');
  }
  await script.ended;
  expect(script.stdout(), script.stderr()).toContain('ready');
  return Number(/done (\d+)/.exec(script.stdout())?.[1]);
}

async function stateSeenBy(client: Client, old: Site, next: Site): Promise<string> {
  const { text } = await client.get('/sitemap.xml');
  const slugs = [...text.matchAll(/\/posts\/([^<]+)</g)].map(([, slug]) => slug!).sort();
  const site = [old, next].find((candidate) => String(candidate.slugs) === String(slugs));
  if (!site) return `a mixture of ${slugs.length} posts`;
  for (const [name, content] of Object.entries(site.pictures)) {
    const answer = await client.get(`/uploads/${name}`);
    if (answer.status !== 200 || answer.text !== content) return `${name} answers ${answer.status}`;
  }
  for (const slug of site.slugs.slice(0, 3)) {
    const page = await client.get(`/posts/${slug}`);
    if (page.status !== 200) return `${slug} answers ${page.status}`;
  }
  const label = site === old ? 'old' : 'new';
  const author = await client.get(`/authors/${label}`);
  return author.status === 200 ? label : `the author answers ${author.status}`;
}
