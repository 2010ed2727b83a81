import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPosts } from '#tests/support/factories.ts';
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

test('two servers and ten commands on one SQLite file: each post is published once, and nobody is refused', async () => {
  const due = 40;
  const publishedAt = new Date(Date.now() - 60_000);
  await createPosts(app, due, { status: 'scheduled', publishedAt });
  const editors = servers.map((server) => server.client());
  await logInAsAdministrator(app, editors[0]!);
  for (const [name, value] of editors[0]!.cookies) editors[1]!.cookies.set(name, value);
  const commands = [
    ...Array.from({ length: 6 }, () => ['posts:publish-scheduled']),
    ['search:check-index', '--repair'],
    ['posts:status'],
    ['db:seed'],
    ['db:migrate'],
  ];
  const triggered = commands.map((args) => runCommand(args, { env: app.variables }));
  const written = editors.flatMap((editor, server) =>
    Array.from({ length: 5 }, (_, number) =>
      createPostByForm(editor, {
        title: `Beside ${server} ${number}`,
        slug: '',
        body: 'x',
        intent: 'publish',
      }),
    ),
  );
  const read = editors.flatMap((editor) => ['/', '/archive', '/rss.xml'].map((path) => editor.get(path)));
  const results = await Promise.all(triggered);
  await Promise.all(written);
  for (const { status } of await Promise.all(read)) expect(status).toBe(200);
  const published = results.slice(0, 6).map((result) => {
    expect(result.code, result.stderr).toBe(0);
    return result.json<{ publishedPostIds: string[] }>().publishedPostIds;
  });
  expect(published.flat()).toHaveLength(due);
  expect(new Set(published.flat()).size).toBe(due);
  for (const result of results.slice(8)) expect(result.code, result.stderr).toBe(0);
  expect(await app.db.post.count({ where: { status: 'published' } })).toBe(due + 10);
  const check = await runCommand(['search:check-index', '--repair'], { env: app.variables });
  expect(check.json()).toMatchObject({ sourceCount: due + 10 });
});
