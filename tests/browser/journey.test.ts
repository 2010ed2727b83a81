// An editor's whole way through the backend, walked twice: with JavaScript and without.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator, localTime } from '#tests/support/backend.ts';
import {
  confirmPublishing,
  focused,
  openBrowserSession,
  pressSave,
  type BrowserSession,
} from '#tests/support/browser-session.ts';
import { createCategory, createPost, createTag } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

let app: TestApp;
let server: TestServer;
let userId: string;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  userId = (await createAdministrator(app, administrator)).id;
  await createCategory(app, { name: 'Harbour', slug: 'harbour' });
  await createTag(app, { name: 'Sea', slug: 'sea' });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const inDays = (days: number) => localTime(new Date(Date.now() + days * 86_400_000));
const findPost = (title: string) => app.db.post.findFirstOrThrow({ where: { title } });

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  let session: BrowserSession;
  const title = `The ferry is late, ${javaScriptEnabled ? 'scripted' : 'plain'}`;
  let address: string;

  beforeAll(async () => {
    session = await openBrowserSession(app, server, null, { javaScriptEnabled });
  });
  afterAll(async () => {
    await session?.close();
    expect(session.troubles).toEqual([]);
  });
  const press = (name: string) => session.page.getByRole('button', { name, exact: true }).click();
  const label = (name: string) => session.page.getByLabel(name, { exact: true });
  /** Opens a part of the sidebar that stands closed. */
  const unfold = async (heading: string) => {
    const part = session.page.locator('details.side-panel', {
      has: session.page.getByRole('heading', { name: heading }),
    });
    if ((await part.getAttribute('open')) === null) await part.locator('summary').first().click();
  };

  /** Before the scripts have come, a button sends the form as a page, and opens no panel. */
  const openPost = async () => {
    await session.open(address);
    if (javaScriptEnabled) await session.page.locator('.writing[data-live]').waitFor();
  };

  it('logs in, at the page that was asked for', async () => {
    const { page } = session;
    await session.open('posts/new');
    await label('Email').fill(administrator.email);
    await label('Password').fill('wrong password');
    await press('Log in');
    await page.getByText('Email or password is incorrect.').waitFor();
    await expect.poll(() => focused(page)).toBe('password');
    expect(await label('Email').inputValue()).toBe(administrator.email);
    await label('Password').fill(administrator.password);
    await press('Log in');
    await page.waitForURL('**/admin/posts/new');
  });

  it('creates a post: preview, then save', async () => {
    const { page } = session;
    // Before the scripts have come, Preview is the form's, whose preview is a page here too.
    if (javaScriptEnabled) await page.locator('.writing[data-live]').waitFor();
    await label('Title').fill(title);
    await label('Text').fill('The **first** boat comes in.');
    await press('Preview');
    // The page of the site where scripts run, the text on a page of its own without.
    const shown = javaScriptEnabled
      ? page.frameLocator('.page-preview iframe').locator('.prose strong')
      : page.locator('.preview-page strong');
    await shown.filter({ hasText: 'first' }).waitFor();
    if (javaScriptEnabled) await press('Close');
    expect(await label('Title').inputValue()).toBe(title);
    await pressSave(page);
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}$/);
    await page.locator('.state-draft').first().waitFor();
    address = new URL(page.url()).pathname.replace('/admin/', '');
    expect(await findPost(title)).toMatchObject({ status: 'draft', body: 'The **first** boat comes in.' });
    expect(await app.db.post.count({ where: { title } })).toBe(1);
  });

  it('hears of a missing time beside the field, with the focus in it and everything else kept', async () => {
    const { page } = session;
    await label('Text').fill('The first boat comes in before the light does.');
    if (javaScriptEnabled) {
      await press('Publish…');
      await label('Custom time').check();
    }
    if (!javaScriptEnabled) await press('More');
    await press('Schedule');
    await page.getByText('Publication time must be in the future.').last().waitFor();
    // In the panel where scripts run.
    const field = page.locator(javaScriptEnabled ? '#publish-time' : '[name=publishedAt]');
    await expect.poll(() => focused(page)).toBe(javaScriptEnabled ? 'time' : 'publishedAt');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const described = (await field.getAttribute('aria-describedby'))!.split(' ')[0]!;
    expect(await page.locator(`#${described}`).textContent()).toContain('must be in the future');
    if (javaScriptEnabled) {
      await press('Cancel');
      await page.locator('.publish-panel').waitFor({ state: 'detached' });
    }
    // The editor writes the form's own field after a pause.
    const kept = () => label('Text').inputValue();
    await expect.poll(kept).toBe('The first boat comes in before the light does.');
  });

  it('schedules, then publishes', async () => {
    const { page } = session;
    await page.locator('[name=publishedAt]').fill(inDays(3));
    if (!javaScriptEnabled) await press('More');
    await page.locator('button[value=schedule]').click();
    if (javaScriptEnabled) await confirmPublishing(page);
    await page.locator('.state-scheduled').first().waitFor();
    if (javaScriptEnabled) await press('Back to the text');
    expect(await page.locator('#field-publishedAt-help').textContent()).toMatch(/in [23] days/);
    expect(await findPost(title)).toMatchObject({ status: 'scheduled' });
    await session.open('calendar');
    await page.getByRole('link', { name: title }).first().waitFor({ state: 'attached' });
    await openPost();
    await press('More');
    await press('Publish now');
    if (javaScriptEnabled) await confirmPublishing(page);
    await page.locator('.state-published').first().waitFor();
    const reader = await openBrowserSession(app, server, null, { javaScriptEnabled });
    await reader.page.goto(`/posts/${(await findPost(title)).slug}`);
    await reader.page.getByText('before the light does').first().waitFor();
    await reader.close();
  });

  it('uploads an image and gives the post a cover, a category and tags', async () => {
    const { page } = session;
    const file = path.join(await tempFolder(), `harbour-${javaScriptEnabled}.jpg`);
    // The same picture twice would be one file of the library.
    await writeFile(file, await picture({ seed: javaScriptEnabled ? 2 : 3 }));
    await session.open('media');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.locator('form.media-upload [name=alt]').fill(`Boats, ${javaScriptEnabled}`);
    await press('Upload');
    await page.waitForURL('**/admin/media?stored=1');
    await openPost();
    await page.locator('[name=categoryId]').selectOption({ label: 'Harbour' });
    await page.locator('[name=tags]').fill('Sea, Ferries');
    await unfold('Cover');
    await page.getByRole('img', { name: `Boats, ${javaScriptEnabled}` }).click();
    await press('Update');
    await page.locator('.cover input:checked').waitFor({ state: 'attached' });
    await expect.poll(async () => (await findPost(title)).coverMediaId).not.toBeNull();
    const post = await app.db.post.findFirstOrThrow({
      where: { title },
      include: { category: true, tags: { include: { tag: true }, orderBy: { position: 'asc' } } },
    });
    expect(post.category?.name).toBe('Harbour');
    expect(post.tags.map(({ tag }) => tag.name)).toEqual(['Sea', 'Ferries']);
  });

  it('looks at the differences and restores an earlier text', async () => {
    const { page } = session;
    await session.open(`${address}/revisions`);
    const rows = page.locator('.revision-table tbody tr');
    await rows.last().locator('input[name=from]').check({ force: true });
    await press('Compare selected');
    await page.waitForURL(/from=/);
    await page.locator('ins', { hasText: 'light does' }).first().waitFor();
    // The post is public: the page asks first.
    await rows.last().locator('summary').click();
    await rows.last().getByRole('button').click();
    await page.getByText('Restored.').waitFor();
    expect((await findPost(title)).body).toBe('The **first** boat comes in.');
  });

  it('shows an unpublished post by a link, and ends the link', async () => {
    const { page } = session;
    const draft = await createPost(app, { title: 'For your eyes', authorId: userId });
    await session.open(`posts/${draft.id}/previews`);
    await press('New link');
    const link = new URL(await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue());
    const reader = await openBrowserSession(app, server, null, { javaScriptEnabled });
    expect((await reader.page.goto(link.pathname))!.status()).toBe(200);
    await reader.page.getByRole('heading', { name: 'For your eyes' }).waitFor();
    await press('Revoke link');
    await page.getByText('Link revoked.').waitFor();
    expect((await reader.page.goto(link.pathname))!.status()).toBe(404);
    await reader.close();
  });

  it('archives and deletes', async () => {
    const { page } = session;
    await openPost();
    await press('Archive');
    await page.locator('.state-archived').first().waitFor();
    await press('More');
    await page.locator('details.delete summary').click();
    await press('Move to trash');
    await page.waitForURL(/\/admin\/posts(\?.*)?$/);
    expect(await app.db.post.count({ where: { title, status: { not: 'trashed' } } })).toBe(0);
  });

  it('deletes several posts, after the page has said which', async () => {
    const { page } = session;
    const names = ['One too many', 'Another too many'];
    for (const title of names) await createPost(app, { title, authorId: userId });
    await session.open('posts?q=too+many');
    for (const box of await page.locator('input[name=ids]').all()) await box.check();
    await page.locator('select[name=action]').selectOption('delete');
    await press('Continue');
    for (const title of names) await page.getByText(title).first().waitFor();
    const left = { title: { in: names }, status: { not: 'trashed' } };
    expect(await app.db.post.count({ where: left })).toBe(2);
    await page.locator('main button.danger').click();
    await page.waitForURL(/\/admin\/posts\?changed=2/);
    expect(await app.db.post.count({ where: left })).toBe(0);
  });

  it('changes a setting, after an error that kept what was typed', async () => {
    const { page } = session;
    const name = `The Gazette, ${javaScriptEnabled}`;
    await session.open('settings/site');
    await page.locator('[name=site_title]').fill(name);
    await page.locator('[name=site_timezone]').fill('Mars/Olympus');
    await press('Save settings');
    await page.locator('#field-site_timezone-error').waitFor();
    await expect.poll(() => focused(page)).toBe('site_timezone');
    expect(await page.locator('[name=site_title]').inputValue()).toBe(name);
    await page.locator('[name=site_timezone]').fill('UTC');
    await press('Save settings');
    await page.getByText('Saved.').first().waitFor();
    await page.goto('/');
    await page.getByText(name).first().waitFor();
  });
});
