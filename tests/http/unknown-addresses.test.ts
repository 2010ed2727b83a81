import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changePublicContent } from '#app/publishing/change/public-change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { createPost } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let servers: TestServer[];
let editor: Client;
let elsewhere: Client;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createPost(app, { slug: 'calm', status: 'published', publishedAt: app.clock.now() });
  servers = await Promise.all([startServer({ env: app.variables }), startServer({ env: app.variables })]);
  [editor, elsewhere] = [servers[0]!.client(), servers[1]!.client()];
  await logInAsAdministrator(app, editor);
});
afterAll(async () => {
  await Promise.all((servers ?? []).map((server) => server.stop()));
  await app?.close();
});

async function cpuMilliseconds(server: TestServer): Promise<number> {
  const authorization = 'Bearer test-cron-secret';
  const { text } = await server.client().get('/api/internal/metrics', { authorization });
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)![1]) * 1_000;
}

/** Processor time of the second server for each kind of address, in turns, so that a busy machine meets all alike. */
async function costsOf<Kind extends string>(kinds: Record<Kind, (round: number) => string>) {
  const names = Object.keys(kinds) as Kind[];
  const costs = Object.fromEntries(names.map((name) => [name, 0])) as Record<Kind, number>;
  for (let turn = 0; turn < 6; turn += 1)
    for (const name of names) {
      const before = await cpuMilliseconds(servers[1]!);
      for (let round = 0; round < 20; round += 1) await elsewhere.get(kinds[name](20 * turn + round));
      // The first turns warm it up.
      if (turn >= 2) costs[name] += (await cpuMilliseconds(servers[1]!)) - before;
    }
  return costs;
}

describe('an unknown address', () => {
  it.each(['/posts/nothing', '/nothing', '/tags/nothing', '/a/b/c', '/?page=99'])(
    '%s shows the page that all of them show',
    async (path) => {
      const [one, other] = [await editor.get(path), await elsewhere.get('/posts/unknown')];
      expect([one.status, other.status]).toEqual([404, 404]);
      expect(one.text).toBe(other.text);
      expect(one.text).toContain('href="/posts/calm"');
    },
  );

  it('answers in every process as soon as something is published there, and all others name it', async () => {
    expect((await editor.get('/posts/soon')).status).toBe(404);
    expect((await elsewhere.get('/posts/soon')).status).toBe(404);
    await createPostByForm(editor, { title: 'Soon', slug: 'soon', body: 'x', intent: 'publish' });
    for (const visitor of [editor, elsewhere]) {
      expect((await visitor.get('/posts/soon')).status).toBe(200);
      for (const unknown of ['/posts/nothing', '/nothing'])
        expect((await visitor.get(unknown)).text).toContain('href="/posts/soon"');
    }
  });

  it('costs no more than a page that is rendered, however large the frame of the site is', async () => {
    const value = Array.from({ length: 300 }, (_, number) => `E${number} | /tags`).join('\n');
    await changePublicContent(app, ({ tx, now }) =>
      tx.setting.upsert({
        where: { key: 'navigation' },
        create: { key: 'navigation', value, updatedAt: now },
        update: { value, updatedAt: now },
      }),
    );
    expect((await elsewhere.get('/search?q=x')).text).toContain('E299');
    expect((await elsewhere.get('/nothing')).text).toContain('E299');
    const { rendered, post, splat } = await costsOf({
      rendered: (round) => `/search?q=calm+${round}`,
      post: (round) => `/posts/unknown-${round}`,
      splat: (round) => `/unknown-${round}`,
    });
    // About 0.75 and 1.1, which looks for a page and asks the backend too. The rest is for what a busy machine adds to
    // short measurements.
    expect(post / rendered).toBeLessThan(2);
    expect(splat / rendered).toBeLessThan(2);
  });
});
