import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand, type CommandResult } from '#tests/support/command.ts';
import { createPosts } from '#tests/support/factories.ts';
import type { Answer } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let servers: TestServer[];
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  servers = await Promise.all([startServer({ env: app.variables }), startServer({ env: app.variables })]);
});
afterAll(async () => {
  await Promise.all((servers ?? []).map((server) => server.stop()));
  await app?.close();
});

describe('two servers and ten commands on one SQLite file', () => {
  const DUE = 40;
  const commands = [
    ...Array.from({ length: 6 }, () => ['posts:publish-scheduled']),
    ['search:check-index', '--repair'],
    ['posts:status'],
    ['db:seed'],
    ['db:migrate'],
  ];
  let results: CommandResult[];
  let read: Answer[];

  beforeAll(async () => {
    const publishedAt = new Date(Date.now() - 60_000);
    await createPosts(app, DUE, { status: 'scheduled', publishedAt });
    const editors = servers.map((server) => server.client());
    await logInAsAdministrator(app, editors[0]!);
    for (const [name, value] of editors[0]!.cookies) editors[1]!.cookies.set(name, value);
    const triggered = commands.map((args) => runCommand(args, { env: app.variables }));
    const written = editors.flatMap((editor, server) =>
      Array.from({ length: 5 }, (_, number) => {
        const fields = { title: `Beside ${server} ${number}`, slug: '', body: 'x' };
        return createPostByForm(editor, { ...fields, intent: 'publish' });
      }),
    );
    const reading = editors.flatMap((editor) =>
      ['/', '/archive', '/rss.xml'].map((path) => editor.get(path)),
    );
    results = await Promise.all(triggered);
    await Promise.all(written);
    read = await Promise.all(reading);
  });

  test('readers, the seed and the migration are not refused', () => {
    for (const { status } of read) expect(status).toBe(200);
    for (const result of results.slice(8)) expect(result.code, result.stderr).toBe(0);
  });

  test('each post is published once', async () => {
    const published = results.slice(0, 6).map((result) => {
      expect(result.code, result.stderr).toBe(0);
      return result.json<{ publishedPostIds: string[] }>().publishedPostIds;
    });
    expect(published.flat()).toHaveLength(DUE);
    expect(new Set(published.flat()).size).toBe(DUE);
    expect(await app.db.post.count({ where: { status: 'published' } })).toBe(DUE + 10);
  });

  test('the search index has every post', async () => {
    const check = await runCommand(['search:check-index', '--repair'], { env: app.variables });
    expect(check.json()).toMatchObject({ sourceCount: DUE + 10 });
  });
});
