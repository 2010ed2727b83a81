import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPicture } from '#app/import/media/fetch.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';

let app: TestApp;
let server: Server;
let origin: string;
let uploadedById: string;
beforeAll(async () => {
  app = await createTestApp();
  uploadedById = (await createUser(app)).id;
  const bytes = await picture();
  server = createServer((request, response) => {
    if (request.url?.startsWith('/docsz/')) response.end(bytes);
    else if (request.url === '/inside') response.writeHead(302, { location: 'http://10.1.2.3/' }).end();
    else response.end('<p>No picture</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://pictures.example:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server?.close(resolve));
  await app?.close();
});

const copy = (address: string) =>
  copyPicture(
    app,
    { address, uploadedById },
    {
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      isAllowed: (address) => address === '127.0.0.1',
    },
  );

test('a picture of another site is in the library, once', async () => {
  const media = await copy(`${origin}/docsz/AD_4nXc?key=a`);
  expect(media).toMatchObject({ originalName: 'AD_4nXc.jpg', uploadedById, width: 640, height: 400 });
  expect(await app.mediaStore.head(media.path)).not.toBeNull();
  expect((await copy(`${origin}/docsz/other?key=b`)).id).toBe(media.id);
});

test.each([
  ['page', 'The picture could not be fetched: it is no picture that can be stored.'],
  ['inside', 'The picture could not be fetched: its host is in a network that is not public.'],
])('%s gives no picture', async (path, message) => {
  await expect(copy(`${origin}/${path}`)).rejects.toMatchObject({ code: 'invalid_input', message });
});

test('an address is one of the web, and no longer than one', async () => {
  await expect(copy('quay.jpg')).rejects.toThrow('That is no address of a picture.');
  await expect(copy(`${origin}/${'a'.repeat(2_000)}`)).rejects.toThrow('That is no address of a picture.');
  await expect(copy('file:///etc/hostname')).rejects.toThrow('another scheme than http and https');
});
