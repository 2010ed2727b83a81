import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { createCategory, createMedia, createPost } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { createPerson } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let admin: Client;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createPost(app, { slug: 'one', title: 'One', status: 'published', publishedAt: new Date(0) });
  server = await startServer({ env: app.variables });
  admin = server.client();
  await logInAsAdministrator(app, admin);
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const json = { accept: 'application/json' };
const themeOf = (html: string) => /href="([^"]*\/theme\/[0-9a-f]+\.css)"/.exec(html)![1]!;

async function publicStylesheet(): Promise<string> {
  const { text } = await server.client().get('/');
  const answer = await server.client().get(themeOf(text));
  expect(answer.headers['cache-control']).toContain('immutable');
  return answer.text;
}

const choices = {
  preset: 'studio',
  palette: 'slate',
  list_style: 'cards',
  custom_css: '.prose { color: red }',
};

test('a draft is seen in the preview only, until it is published', async () => {
  const before = await publicStylesheet();
  const saved = await admin.post('/admin/appearance', { ...choices, intent: 'save' });
  expect(saved.status).toBe(302);
  expect(await publicStylesheet()).toBe(before);

  const preview = await admin.get('/admin/appearance/preview/posts/one');
  expect(preview.status).toBe(200);
  expect(preview.headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'SAMEORIGIN' });
  expect(preview.text).toContain('<h1>One</h1>');
  expect(preview.text).toContain('href="/admin/appearance/preview/"');
  const draft = await admin.get(themeOf(preview.text));
  expect(draft.text).toContain("'Figtree Variable'");
  expect(draft.text).toContain('.prose { color: red }');

  expect((await admin.post('/admin/appearance', { intent: 'publish' })).status).toBe(302);
  expect(await publicStylesheet()).toBe(draft.text);
  const font = /url\((\/assets\/[^)]+latin-wght-normal[^)]+\.woff2)\)/.exec(draft.text)![1]!;
  expect(await server.client().get(font)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'font/woff2' },
  });
});

test('a header that stays and a large footer are seen in the draft, then by readers', async () => {
  const footerOf = (html: string) => /<footer class="site-footer">[^]*?<\/footer>/.exec(html)![0];
  const choices = { preset: 'quiet', header_place: 'sticky', footer_style: 'large' };
  await admin.post('/admin/appearance', { preset: 'quiet', intent: 'publish' });
  await admin.post('/admin/appearance', { ...choices, intent: 'save' });
  const preview = (await admin.get('/admin/appearance/preview')).text;
  expect(footerOf(preview)).toMatch(
    /<p class="footer-title">Dateline<\/p><p>Notes, published on time\.<\/p>/,
  );
  expect((await server.client().get('/')).text).not.toContain('footer-title');
  expect(await publicStylesheet()).not.toContain('position:sticky');
  await admin.post('/admin/appearance', { intent: 'publish' });
  expect(footerOf((await server.client().get('/')).text)).toContain('footer-title');
  expect(await publicStylesheet()).toMatch(/\.site-header\s*{[^}]*position:\s*sticky/);
  await admin.post('/admin/appearance', { preset: 'studio', header_place: '', intent: 'publish' });
});

test('cards set the words of a post without a picture on a field of colour, and a category’s list does not repeat it', async () => {
  const { id: categoryId } = await createCategory(app, { slug: 'sea', name: 'Sea' });
  const shared = { status: 'published', publishedAt: new Date(0), categoryId } as const;
  await createPost(app, { ...shared, slug: 'bare', title: '“Élan”' });
  const list = async (path: string) => (await server.client().get(path)).text;
  const fields = (html: string) => html.match(/<article class="teaser drawn tone-\d">/g)?.length ?? 0;
  await admin.post('/admin/appearance', { preset: 'studio', intent: 'publish' });
  expect(fields(await list('/categories/sea'))).toBe(1);
  const { id: coverMediaId } = await createMedia(app);
  await createPost(app, { ...shared, slug: 'shown', title: 'Shown', coverMediaId });
  // Any change: these posts come from outside, so that cached pages do not know of them.
  await admin.post('/admin/appearance', { list_style: 'cards', palette: 'rose', intent: 'publish' });
  const cards = await list('/categories/sea');
  expect([fields(cards), cards.match(/“Élan”/g)?.length]).toEqual([1, 1]);
  expect(cards).not.toContain('category-link');
  expect(await list('/archive')).not.toContain('drawn');
  expect(await list('/')).toContain('<a class="category-link" href="/categories/sea">Sea</a>');
  await admin.post('/admin/appearance', { list_style: 'list', intent: 'publish' });
  expect(fields(await list('/categories/sea'))).toBe(0);
  await admin.post('/admin/appearance', { list_style: 'cards', intent: 'publish' });
});

test('each preset is a picture of the site’s own home page, and an unknown one is none', async () => {
  const screen = (await admin.get('/admin/appearance')).text;
  for (const preset of ['gazette', 'quiet']) {
    expect(screen).toContain(`src="/admin/appearance/presets/${preset}"`);
    const home = await admin.get(`/admin/appearance/presets/${preset}`);
    expect(home).toMatchObject({ status: 200, headers: { 'x-frame-options': 'SAMEORIGIN' } });
    expect(home.text).toContain('“Élan”');
    const { text } = await admin.get(themeOf(home.text));
    expect(text).toContain(preset === 'gazette' ? "'Playfair Display" : "'Lora");
  }
  expect((await admin.get('/admin/appearance/presets/unknown')).status).toBe(404);
  expect((await server.client().get('/admin/appearance/presets/quiet')).status).toBe(302);
});

test('a discarded draft leaves the published appearance in the form', async () => {
  await admin.post('/admin/appearance', { preset: 'notebook', intent: 'save' });
  await admin.post('/admin/appearance', { intent: 'discard' });
  const { text } = await admin.get('/admin/appearance');
  expect(text).toMatch(/value="studio"[^>]*checked|checked=""[^>]*value="studio"/);
  expect(text).not.toContain('Discard draft');
});

test.each([
  ['preset', 'unknown'],
  ['font_body', 'comic'],
  ['palette', 'x'],
  ['accent_color', 'red'],
  ['header_style', 'x'],
  ['header_place', 'bottom'],
  ['footer_style', 'x'],
  ['corner_style', 'x'],
  ['rule_style', 'x'],
  ['custom_css', '@import url(https://evil.example/x.css);'],
  ['custom_css', 'a { background: url(https://evil.example/x.png) }'],
  ['custom_css', 'a { width: expression(1) }'],
  ['custom_css', 'a { behavior: url(#x) }'],
  ['custom_css', 'a { -moz-binding: url(/x) }'],
])('%s = %s is refused beside its field, and changes nothing', async (field, value) => {
  const before = await publicStylesheet();
  for (const intent of ['save', 'publish']) {
    const answer = await admin.post('/admin/appearance', { [field]: value, intent }, json);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toEqual([field]);
  }
  expect(await publicStylesheet()).toBe(before);
  expect((await admin.get('/admin/appearance')).text).not.toContain('Discard draft');
});

test('only administrators see it; a preview of what is not public is the 404 of readers', async () => {
  const { client: editor } = await createPerson(app, server, 'editor');
  expect((await editor.get('/admin/appearance')).status).toBe(403);
  expect((await editor.get('/admin/appearance/preview')).status).toBe(403);
  expect((await server.client().get('/admin/appearance/preview')).status).toBe(302);
  expect((await admin.get('/admin/appearance/preview/posts/none')).status).toBe(404);
  expect((await admin.get('/admin/appearance/preview/admin/settings/site')).status).toBe(404);
});
