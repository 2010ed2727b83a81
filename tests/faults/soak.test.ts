import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, localTime, logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPosts } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const nightly = process.env.NIGHTLY === '1';
const SOAK_MS = nightly ? 20 * 60_000 : 15_000;

let app: TestApp;
let server: TestServer;
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

test(
  `readers, editors and triggers together for ${SOAK_MS / 1000} s`,
  { timeout: SOAK_MS + 180_000 },
  async () => {
    const ends = performance.now() + SOAK_MS;
    const failures: string[] = [];
    const until = async (pauseMs: number, work: (round: number) => Promise<void>) => {
      for (let round = 0; performance.now() < ends; round += 1) {
        await work(round);
        await sleep(pauseMs);
      }
    };
    const slugs = (await app.db.post.findMany({ select: { slug: true } })).map(({ slug }) => slug);
    const paths = ['/', '/archive', '/rss.xml', '/sitemap.xml', '/search?q=post', '/?page=2'];
    const reader = server.client();
    const get = async (url: string) => {
      const { status } = await reader.get(url);
      if (status !== 200) failures.push(`${status} ${url}`);
    };
    const editor = server.client();
    await logInAsAdministrator(app, editor);
    const memory: number[] = [];
    let written = 0;
    await Promise.all([
      until(5, (round) => get(paths[round % paths.length]!)),
      until(5, (round) => get(`/posts/${slugs[round % slugs.length]!}`)),
      until(200, async (round) => {
        const when = localTime(new Date(Date.now() + 120_000));
        const fields = { title: `Soak ${round}`, slug: '', body: `Text ${round}` };
        await createPostByForm(
          editor,
          round % 2 ? { ...fields, intent: 'schedule', publishedAt: when } : { ...fields, intent: 'publish' },
        );
        written += 1;
      }),
      until(1_000, async () => {
        const { status } = await reader.post('/api/internal/posts/publish-scheduled', {}, secret);
        if (status !== 200) failures.push(`${status} trigger`);
      }),
      until(Math.max(500, SOAK_MS / 90), async () => void memory.push(await residentMegabytes())),
    ]);
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
    expect((await reader.post('/api/internal/posts/publish-scheduled', {}, secret)).status).toBe(200);
    expect(await app.db.searchOutbox.count()).toBe(0);
    const checked = await runCommand(['search:check-index'], { env: app.variables });
    expect(checked.code, checked.stdout + checked.stderr).toBe(0);
    const backup = path.join(await tempFolder(), 'backup');
    expect((await runCommand(['backup:export', '--output', backup], { env: app.variables })).code).toBe(0);
    expect((await runCommand(['backup:verify', '--input', backup], { env: app.variables })).code).toBe(0);
    expect(readFileSync(path.join(backup, 'manifest.json'), 'utf8')).toContain('"warnings": []');
    expect(server.stderr()).toBe('');
  },
);
