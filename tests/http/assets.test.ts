import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import type { Client } from '#tests/support/http-client.ts';
import { createDemoContent } from '#tests/support/demo-content.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createDemoContent(app);
});
afterAll(() => app?.close());

// `startServer` hands over no variable but these and the system's own.
const servers: [string, { script?: string; args?: string[] }][] = [
  ['npm start', {}],
  [
    'stock remix-serve',
    { script: 'node_modules/@remix-run/serve/dist/cli.js', args: ['build/server/index.js'] },
  ],
];

/** Addresses of pages of readers and of screens of editors. */
async function pagesOfBoth(): Promise<string[]> {
  const where = { status: 'published', coverMediaId: { not: null } };
  const { id, slug } = await app.db.post.findFirstOrThrow({ where });
  const screens = ['', '/posts', '/posts/new', `/posts/${id}`, '/calendar', '/media', '/settings/site'];
  const pages = ['/', `/posts/${slug}`, '/archive', '/search?q=harbour', '/tags', '/nowhere'];
  return [...pages, ...screens.map((screen) => `/admin${screen}`)];
}

describe.each(servers)('a production build under %s', (name, options) => {
  let server: TestServer;
  let visitor: Client;
  beforeAll(async () => {
    server = await startServer({ env: { ...app.variables, NODE_ENV: 'production' }, ...options });
    visitor = server.client();
    await logInAsAdministrator(app, visitor);
  });
  afterAll(() => server?.stop());

  it('serves every file that a page of readers or editors names', async () => {
    const login = await server.client().get('/admin/login');
    const named = new Set<string>(filesNamedIn(login.text));
    expect([login.status, named.size > 0]).toEqual([200, true]);
    for (const page of await pagesOfBoth()) {
      const { status, text } = await visitor.get(page);
      expect(status, page).toBe(page === '/nowhere' ? 404 : 200);
      for (const file of filesNamedIn(text)) named.add(file);
    }
    // A script of the backend, the readers' styles, an icon and a picture at the least.
    for (const kind of [/\.js$/, /\.css$/, /favicon/, /^\/uploads\//])
      expect(
        [...named].find((file) => kind.test(file)),
        String(kind),
      ).toBeDefined();
    for (const file of named) {
      const { status, text, headers } = await visitor.get(file);
      expect(status, file).toBe(200);
      if (!String(headers['content-type']).startsWith('text/css')) continue;
      for (const [, inner] of text.matchAll(/url\(["']?(\/[^"')]+)/g))
        expect((await visitor.get(inner!)).status, inner).toBe(200);
    }
  });

  it('serves what lies in public/', async () => {
    const root = path.join(projectRoot, 'public');
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .filter((file) => !file.startsWith('uploads/'));
    expect(files).toContain('favicon.svg');
    for (const file of files) expect((await visitor.get(`/${file}`)).status, file).toBe(200);
  });

  it('reads, writes and publishes', async () => {
    const title = `Written under ${name}`;
    const sent = await visitor.post('/admin/posts/new', { title, body: 'Text.', intent: 'publish' });
    expect(sent.status).toBe(302);
    await expect.poll(async () => (await visitor.get('/')).text).toContain(title);
    expect((await visitor.get('/api/health')).json()).toMatchObject({ data: { status: 'ok' }, error: null });
  });
});

function filesNamedIn(html: string): string[] {
  const attributes = [...html.matchAll(/<(?:link|script|img|source)\b[^>]*>/g)].flatMap(([tag]) => {
    if (/rel="(?:canonical|prev|next|alternate)"/.test(tag)) return [];
    const single = [...tag.matchAll(/\s(?:href|src)="(\/[^"]*)"/g)].map(([, file]) => file!);
    const sets = [...tag.matchAll(/\ssrcset="([^"]*)"/gi)].flatMap(([, set]) =>
      set!.split(',').map((entry) => entry.trim().split(' ')[0]!),
    );
    return [...single, ...sets];
  });
  const imports = [...html.matchAll(/import\("(\/[^"]+)"\)|from "(\/[^"]+)"/g)].map(
    ([, one, two]) => one ?? two!,
  );
  return [...attributes, ...imports].map((file) => file.replaceAll('&amp;', '&'));
}
