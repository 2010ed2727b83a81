// A form of very many parts costs what its first parts cost: it ends at the limit, whatever its encoding.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createMedia, createPost } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { processorSeconds } from '#tests/support/processor-time.ts';
import { createPerson } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;
let paths: string[];
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  const { id: authorId, client } = await createPerson(app, server, 'editor');
  editor = client;
  const post = await createPost(app, { authorId });
  const media = await createMedia(app, { uploadedById: authorId });
  paths = [
    '/admin/media',
    `/admin/media/${media.id}`,
    `/admin/posts/${post.id}`,
    '/admin/posts/new',
    '/admin/login',
  ];
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const BOUNDARY = 'x';
const multipart = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, accept: 'application/json' };
const bodyOf = (part: string, count: number) =>
  `${`--${BOUNDARY}\r\n${part}\r\n`.repeat(count)}--${BOUNDARY}--\r\n`;

const parts: Record<string, string> = {
  'fields without a value': 'content-disposition: form-data; name=a\r\n\r\n',
  'parts without headers': '\r\n',
  'parts without a name': 'content-disposition: form-data\r\n\r\n',
  'files without a name': 'content-disposition: form-data; name=file; filename=""\r\n\r\n',
  'nested parts':
    'content-disposition: form-data; name=a\r\ncontent-type: multipart/mixed; boundary=y\r\n\r\n--y--\r\n',
  'parts with many headers': `${'a: b\r\n'.repeat(15)}content-disposition: form-data; name=a\r\n\r\n`,
};

it.each(Object.entries(parts))('a form of 60,000 %s is refused at little cost', async (_, part) => {
  const body = bodyOf(part, 60_000);
  for (const path of paths) {
    const before = await processorSeconds(server);
    const answer = await editor.send('POST', path, multipart, body);
    expect([path, [400, 413].includes(answer.status), answer.status]).toEqual([path, true, answer.status]);
    expect(answer.text, path).toMatch(/too many|too large|could not be read|Choose a file/i);
    // All of these parts would take seconds.
    expect((await processorSeconds(server)) - before, path).toBeLessThan(1.5);
  }
});

it('as many fields as the form may have are still read, one more is refused', async () => {
  const field = (name: string) => `content-disposition: form-data; name=${name}\r\n\r\n`;
  const send = (count: number) => editor.send('POST', '/admin/media', multipart, bodyOf(field('alt'), count));
  expect((await send(20)).text).toContain('Choose a file.');
  const refused = await send(21);
  expect(refused.status).toBe(413);
  expect(refused.json()).toEqual({
    media: [],
    errors: [{ name: '', message: 'The form has too many fields.' }],
  });
});

it.each([
  '&'.repeat(200_000),
  'a=1&'.repeat(200_000),
  'a[b][c]=1&'.repeat(100_000),
  `${'a'.repeat(200_000)}=1`,
])('a urlencoded form such as %.12s is refused or read at little cost', async (body) => {
  const encoded = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  for (const path of paths) {
    const before = await processorSeconds(server);
    const { status } = await editor.send('POST', path, encoded, body);
    expect([path, status < 500, status]).toEqual([path, true, status]);
    expect((await processorSeconds(server)) - before, path).toBeLessThan(1.5);
  }
});
