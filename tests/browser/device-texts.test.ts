// The texts that the editor keeps on the device: none is lost, and none outlives the text that the server has.
import { beforeEach, expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { pressSave } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createPost, createTag } from '#tests/support/factories.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;
let { app, page } = here;
let releaseId: string;
beforeEach(async () => {
  ({ app, page } = here);
  page.on('dialog', (dialog) => void dialog.accept());
  ({ id: releaseId } = await createRelease(app, { name: 'Spring', step: 'save', by: byCommand }));
});

const text = () => page.locator('[name=body]').inputValue();
const keptTexts = () =>
  page.evaluate(() =>
    Object.entries(localStorage).flatMap(([key, copy]) => (key.startsWith('dateline:text:') ? [copy] : [])),
  );

async function openPage(path: string): Promise<void> {
  await here.session.open(path);
  await page.locator('.writing[data-live]').waitFor();
}

async function typeAtEnd(words: string): Promise<void> {
  await goTo('End');
  await page.keyboard.type(words);
}

/** No autosave of the post reaches the server. */
async function goOffline(id: string): Promise<void> {
  await page.route(
    (url) => url.pathname.endsWith(`/posts/${id}`),
    (route) =>
      route.request().postData()?.includes('intent=autosave')
        ? route.fulfill({ status: 502 })
        : route.continue(),
  );
}

const isKept = () => page.locator('.save-state', { hasText: 'kept on this device' }).waitFor();

async function chooseRelease(): Promise<void> {
  await page.getByText('Release', { exact: true }).click();
  await page.locator('[name=releaseId]').selectOption(releaseId);
}

it.each(['draft', 'published'])(
  'the page that compares two versions of a %s post with a release keeps no text on the device',
  async (status) => {
    const { id } = await createPost(app, { status, body: 'Before.', authorId: here.userId });
    await openPage(`posts/${id}?release=${releaseId}`);
    await goOffline(id);
    await typeAtEnd(' Mine.');
    await isKept();
    await editPost(app, {
      postId: id,
      version: 1,
      intent: 'save',
      fields: { body: 'Theirs.' },
      editorId: null,
    });
    await pressSave(page);
    const compare = page.getByRole('button', { name: 'Compare both' });
    await compare.waitFor();
    expect(await keptTexts()).toHaveLength(1);
    await compare.click();
    await page.getByRole('heading', { name: 'Two versions' }).waitFor();
    await expect.poll(keptTexts).toEqual([]);
  },
);

it('the new draft in place of a deleted post leaves no text for a release on the device', async () => {
  const { id } = await createPost(app, { status: 'published', body: 'Before.', authorId: here.userId });
  await openPage(`posts/${id}?release=${releaseId}`);
  await app.db.post.update({ where: { id }, data: { status: 'trashed' } });
  await typeAtEnd(' Mine.');
  await page.getByRole('button', { name: 'Save as a new draft…' }).click();
  await page.getByText('save it as a new draft to keep it').waitFor();
  await expect
    .poll(async () => (await keptTexts()).filter((copy) => copy.includes(`"postId":"${id}"`)))
    .toEqual([]);
});

it('a tab that ends without `pagehide` while it is hidden finds its text again', async () => {
  const { post } = await openEditor('Words.');
  await goOffline(post.id);
  await typeAtEnd(' Typed.');
  await isKept();
  const tabStored = (state: string) =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      return sessionStorage.getItem('dateline:tab') !== null;
    }, state);
  expect([await tabStored('hidden'), await tabStored('visible'), await tabStored('hidden')]).toEqual([
    true,
    false,
    true,
  ]);
  await page.evaluate(() =>
    window.addEventListener('pagehide', (event) => event.stopImmediatePropagation(), { capture: true }),
  );
  await page.reload();
  await page.locator('.writing[data-live]').waitFor();
  await expect.poll(text).toBe('Words. Typed.');
});

it('a text of another tab that the server has is not offered', async () => {
  const { post } = await openEditor('Words.');
  await goOffline(post.id);
  await typeAtEnd(' Typed.');
  await isKept();
  await page.evaluate(() => {
    const [key, copy] = Object.entries(localStorage).find(([name]) => name.startsWith('dateline:text:'))!;
    localStorage.setItem(`${key}-ended`, copy);
  });
  await page.unrouteAll();
  await expect
    .poll(async () => (await app.db.post.findUniqueOrThrow({ where: { id: post.id } })).body, {
      timeout: 15_000,
    })
    .toBe('Words. Typed.');
  await openPage(`posts/${post.id}`);
  await expect.poll(keptTexts).toEqual([]);
  expect(await page.getByRole('button', { name: 'Restore it' }).count()).toBe(0);
});

it('choosing a release keeps the text that the tab already keeps for it', async () => {
  const { id } = await createPost(app, { status: 'published', body: 'Public.', authorId: here.userId });
  await openPage(`posts/${id}?release=${releaseId}`);
  await goOffline(id);
  await typeAtEnd(' Under embargo.');
  await isKept();
  // The page can't ask either whether the server has the text.
  await page.route(
    (url) => url.searchParams.has('release'),
    (route) =>
      route.request().headers().accept === 'application/json'
        ? route.fulfill({ status: 502 })
        : route.continue(),
  );
  await openPage(`posts/${id}`);
  await typeAtEnd(' For today.');
  await isKept();
  await chooseRelease();
  await typeAtEnd(' Or for spring.');
  await expect
    .poll(async () =>
      (await keptTexts())
        .map((copy) => (JSON.parse(copy) as { fields: { body: string } }).fields.body)
        .sort(),
    )
    .toEqual(['Public. For today. Or for spring.', 'Public. Under embargo.']);
});

it('a draft that is loaded again and again in mid-sentence has no unsaved changes beside it', async () => {
  const { id } = await createPost(app, { body: 'Words.', authorId: here.userId });
  await openPage(`posts/${id}`);
  for (const word of [' alpha', ' beta', ' gamma']) {
    await typeAtEnd(word);
    await page.reload();
    await page.locator('.writing[data-live]').waitFor();
    expect(await text()).toContain(word);
  }
  const stored = async () => [
    (await app.db.post.findUniqueOrThrow({ where: { id } })).body,
    await app.db.revision.count({ where: { postId: id, kind: 'autosave' } }),
  ];
  await expect.poll(stored).toEqual(['Words. alpha beta gamma', 0]);
  await page.locator('.save-state', { hasText: 'Saved' }).waitFor();
});

/** A text that a tab that has ended kept on the device, in the place of the one that this tab keeps. */
const ownCopyAsOfEndedTab = (changes: Record<string, string> = {}, name = 'ended') =>
  page.evaluate(
    ([changed, tab]) => {
      const [key, copy] = Object.entries(localStorage).find(([stored]) =>
        stored.startsWith('dateline:text:'),
      )!;
      const kept = JSON.parse(copy) as { fields: object };
      localStorage.setItem(
        `${key}-${tab}`,
        JSON.stringify({ ...kept, fields: { ...kept.fields, ...changed }, sent: [] }),
      );
    },
    [changes, name] as const,
  );
const offers = () => page.getByRole('button', { name: 'Restore it' }).count();
const bodyOf = async (id: string) => (await app.db.post.findUniqueOrThrow({ where: { id } })).body;

it.each([
  ['space around the title', { title: '  About ships  ' }],
  ['tags in another order of writing', { tags: 'sea ,, ships,' }],
  ['a slug that the server has made', { slug: '' }],
  ['a time that the server has chosen', { publishedAt: '' }],
])('a text that is saved in full is not offered for %s', async (_, changes) => {
  const { id } = await createPost(app, {
    title: 'About ships',
    body: 'Words.',
    status: 'published',
    tagIds: [(await createTag(app, { name: 'sea' })).id, (await createTag(app, { name: 'ships' })).id],
    authorId: here.userId,
  });
  await openPage(`posts/${id}`);
  await goOffline(id);
  await typeAtEnd(' Typed.');
  await isKept();
  await ownCopyAsOfEndedTab(changes);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await expect.poll(() => bodyOf(id)).toBe('Words. Typed.');
  await openPage(`posts/${id}`);
  await expect.poll(keptTexts).toEqual([]);
  expect(await offers()).toBe(0);
});

it('unsaved changes that the server has are offered once', async () => {
  const { id } = await createPost(app, { status: 'published', body: 'Words.', authorId: here.userId });
  await openPage(`posts/${id}`);
  await goOffline(id);
  await typeAtEnd(' Typed.');
  await isKept();
  await ownCopyAsOfEndedTab();
  await page.unrouteAll();
  await expect
    .poll(() => app.db.revision.count({ where: { postId: id, kind: 'autosave' } }), { timeout: 15_000 })
    .toBe(1);
  // Without what this tab has: only the ended tab's text is left.
  await openPage(`posts/${id}`);
  await page.getByText('You have unsaved changes from').waitFor();
  await expect.poll(keptTexts).toEqual([]);
  expect(await offers()).toBe(0);
});

it('a text for a release is not offered by the post when the release has it', async () => {
  const { id } = await createPost(app, { status: 'published', body: 'Public.', authorId: here.userId });
  await openPage(`posts/${id}?release=${releaseId}`);
  await goOffline(id);
  await typeAtEnd(' Under embargo.');
  await isKept();
  await ownCopyAsOfEndedTab();
  await page.unrouteAll();
  await page.locator('.action-bar, form.editor').getByRole('button', { name: 'Update', exact: true }).click();
  await expect.poll(() => app.db.releaseItem.count({ where: { subjectId: id } })).toBe(1);
  await openPage(`posts/${id}`);
  await expect.poll(keptTexts).toEqual([]);
  expect(await page.getByRole('link', { name: 'Open in the editor' }).count()).toBe(0);
});

it('of several texts, one is offered at a time, and none after a save', async () => {
  const { id } = await createPost(app, { body: 'Words.', authorId: here.userId });
  await openPage(`posts/${id}`);
  await goOffline(id);
  await typeAtEnd(' Typed.');
  await isKept();
  await ownCopyAsOfEndedTab({ body: 'First.' }, 'first');
  await ownCopyAsOfEndedTab({ body: 'Second.' }, 'second');
  await page.unrouteAll();
  await expect.poll(() => bodyOf(id), { timeout: 15_000 }).toBe('Words. Typed.');
  await openPage(`posts/${id}`);
  await expect.poll(offers).toBe(1);
  await page.getByRole('button', { name: 'Discard it' }).click();
  await expect.poll(offers).toBe(1);
  expect(await keptTexts()).toHaveLength(1);
  await pressSave(page);
  await expect.poll(offers).toBe(0);
});

it('the offer ends when the tab that is still open saves its text', async () => {
  const { id } = await createPost(app, { body: 'Words.', authorId: here.userId });
  await openPage(`posts/${id}`);
  await goOffline(id);
  await typeAtEnd(' Typed.');
  await isKept();
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByRole('button', { name: 'Restore it' }).waitFor();
  await page.unrouteAll();
  await expect.poll(() => bodyOf(id), { timeout: 15_000 }).toBe('Words. Typed.');
  await expect.poll(() => second.getByRole('button', { name: 'Restore it' }).count()).toBe(0);
});
