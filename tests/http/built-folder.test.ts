import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { copyBuiltFolder } from '#tests/support/built-folder.ts';
import { runCommand } from '#tests/support/command.ts';
import { picture } from '#tests/support/images.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

let app: TestApp;
let folder: string;
/** Of the next build. */
let nextFolder: string;
let server: TestServer;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  // Both here: on a busy disk a copy took longer than a test has.
  [folder, nextFolder] = await Promise.all([copyBuiltFolder(), copyBuiltFolder()]);
  const script = path.join(folder, 'bin/start.mjs');
  server = await startServer({ env: app.variables, script, cwd: folder });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

test('the built folder weighs less than 120 MB with its packages', async () => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files.map(async (file) => (await stat(path.join(file.parentPath, file.name))).size);
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThan(120_000_000);
});

test('a server in a copy of the built folder takes and shows pictures and coloured code', async () => {
  const editor = server.client();
  await logInAsAdministrator(app, editor);
  const form = new FormData();
  form.append('alt', 'A harbour');
  form.append('file', new File([new Uint8Array(await picture())], 'harbour.jpg', { type: 'image/jpeg' }));
  const request = new Response(form);
  const type = { 'content-type': request.headers.get('content-type')! };
  const sent = await editor.send('POST', '/admin/media', type, Buffer.from(await request.arrayBuffer()));
  expect(sent.headers.location).toBe('/admin/media?stored=1');
  const { path: file } = await app.db.media.findFirstOrThrow();
  const body = `![A harbour](/uploads/${file})\n\n\`\`\`js\nlet x = 1;\n\`\`\``;
  await createPostByForm(editor, { title: 'From the folder', body, intent: 'publish' });
  const reader = server.client();
  const page = await reader.get('/posts/from-the-folder');
  expect(page.text).toContain('class="hl-keyword"');
  expect((await reader.get(`/uploads/${file}`)).status).toBe(200);
});

test('commands run in a copy of the built folder', async () => {
  const options = { env: app.variables, folder };
  const trigger = await runCommand(['posts:publish-scheduled'], options);
  expect(trigger.json()).toMatchObject({ publishedCount: 0 });
  const backup = path.join(await tempFolder(), 'backup');
  expect(await runCommand(['backup:export', '--output', backup], options)).toMatchObject({ code: 0 });
  expect(await runCommand(['backup:verify', '--input', backup], options)).toMatchObject({ code: 0 });
  const exported = path.join(await tempFolder(), 'posts');
  expect(
    await runCommand(['content:export', '--to', 'markdown', '--output', exported], options),
  ).toMatchObject({ code: 0 });
  const imported = await runCommand(
    ['content:import', '--from', 'markdown', '--input', exported, '--dry-run'],
    options,
  );
  expect(imported.code, imported.stderr).toBe(0);
});

test('a server whose folder was replaced shows the site at an instant', async () => {
  const editor = server.client();
  await logInAsAdministrator(app, editor);
  const id = await createPostByForm(editor, { title: 'Soon', body: 'Now', intent: 'publish' });
  const { version } = await app.db.post.findUniqueOrThrow({ where: { id } });
  const changeAt = new Date(Date.now() + 3_600_000);
  await scheduleUpdate(app, { postId: id, version, fields: { body: 'Later' }, changeAt, editorId: null });
  // Its old folder is gone, as after a new build.
  await rm(folder, { recursive: true });
  await rename(nextFolder, folder);
  const at = toLocalTime(new Date(Date.now() + 2 * 3_600_000), 'UTC');
  const opened = await editor.post('/admin/time', { at, intent: 'open' }, { accept: 'application/json' });
  const { location } = opened.json<{ location: string }>();
  expect((await editor.get(`${location}posts/soon`)).text).toContain('Later');
});
