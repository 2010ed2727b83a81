import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, localTime, logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPosts } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const nightly = process.env.NIGHTLY === '1';
const SOAK_MS = nightly ? 20 * 60_000 : 15_000;

let app: TestApp;
let server: TestServer;
/** On the clock of `performance.now()`. */
let ends: number;
beforeAll(async () => {
  app = await createTestApp({ now: new Date(), variables: { LOG_LEVEL: 'warn' } });
  await createPosts(app, 50, { status: 'published', publishedAt: new Date(Date.now() - 86_400_000) });
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const secret = { authorization: 'Bearer test-cron-secret' };

async function residentMegabytes(): Promise<number> {
  const { text } = await server.client().get('/api/internal/metrics', secret);
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]) / 1e6;
}

/** Repeats `work`, with a pause after each round, until the soak ends. */
async function repeat(pauseMs: number, work: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; performance.now() < ends; round += 1) {
    await work(round);
    await sleep(pauseMs);
  }
}

async function writePost(editor: Client, round: number): Promise<void> {
  const when = localTime(new Date(Date.now() + 120_000));
  const fields = { title: `Soak ${round}`, slug: '', body: `Text ${round}` };
  const scheduled = { ...fields, intent: 'schedule', publishedAt: when };
  await createPostByForm(editor, round % 2 ? scheduled : { ...fields, intent: 'publish' });
}

const trigger = () => server.client().post('/api/internal/posts/publish-scheduled', {}, secret);
const command = (...args: string[]) => runCommand(args, { env: app.variables });

describe(`after readers, editors and triggers together for ${SOAK_MS / 1000} s`, () => {
  const failures: string[] = [];
  const memory: number[] = [];
  let written = 0;

  beforeAll(async () => {
    const slugs = (await app.db.post.findMany({ select: { slug: true } })).map(({ slug }) => slug);
    const paths = ['/', '/archive', '/rss.xml', '/sitemap.xml', '/search?q=post', '/?page=2'];
    const [reader, editor] = [server.client(), server.client()];
    await logInAsAdministrator(app, editor);
    const check = (status: number, what: string) => status === 200 || failures.push(`${status} ${what}`);
    const read = async (url: string) => check((await reader.get(url)).status, url);
    ends = performance.now() + SOAK_MS;
    await Promise.all([
      repeat(5, (round) => read(paths[round % paths.length]!)),
      repeat(5, (round) => read(`/posts/${slugs[round % slugs.length]!}`)),
      repeat(200, async (round) => {
        await writePost(editor, round);
        written += 1;
      }),
      repeat(1_000, async () => check((await trigger()).status, 'trigger')),
      repeat(Math.max(500, SOAK_MS / 90), async () => memory.push(await residentMegabytes())),
    ]);
  }, SOAK_MS + 180_000);

  test('each request was answered, and memory does not grow during a night', () => {
    expect(failures).toEqual([]);
    expect(written).toBeGreaterThan(0);
    const third = Math.floor(memory.length / 3);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [second, last] = [mean(memory.slice(third, 2 * third)), mean(memory.slice(-third))];
    process.stderr.write(
      `Soak: ${written} posts written, ${second.toFixed(0)} MB, then ${last.toFixed(0)} MB\n`,
    );
    // A young process still fills its caches: only the long form says whether memory is flat.
    if (nightly) expect(last / second).toBeLessThan(1.1);
  });

  test('the search index has everything', async () => {
    expect((await trigger()).status).toBe(200);
    expect(await app.db.searchOutbox.count()).toBe(0);
    const checked = await command('search:check-index');
    expect(checked.code, checked.stdout + checked.stderr).toBe(0);
  });

  test('a backup verifies without a warning, and the server has logged nothing', async () => {
    const backup = path.join(await tempFolder(), 'backup');
    expect((await command('backup:export', '--output', backup)).code).toBe(0);
    expect((await command('backup:verify', '--input', backup)).code).toBe(0);
    expect(readFileSync(path.join(backup, 'manifest.json'), 'utf8')).toContain('"warnings": []');
    expect(server.stderr()).toBe('');
  });
});
