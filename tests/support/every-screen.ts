// Every screen of the backend and every kind of public page, with the states worth looking at: what axe
// examines and what the screenshots show.
import type { Page } from 'playwright-core';
import type { App } from '#app/app.ts';
import { editPost } from '#app/publishing/save-post.server.ts';
import type { createDemoContent } from './demo-content.ts';

export interface ScreenState {
  name: string;
  /** From the site's root. */
  path: string;
  /** What to do there first. */
  act?: (page: Page) => Promise<unknown>;
  /** Seen by nobody who has logged in. */
  loggedOut?: true;
}

/** The list for a newsroom that `createDemoContent` has filled. */
export async function everyScreen(
  app: App,
  room: Awaited<ReturnType<typeof createDemoContent>>,
): Promise<ScreenState[]> {
  const draft = await app.db.post.findFirstOrThrow({ where: { status: 'draft' }, orderBy: { id: 'asc' } });
  const live = await app.db.post.findFirstOrThrow({
    where: { status: 'published', coverMediaId: { not: null } },
    orderBy: { id: 'asc' },
  });
  // Something to look back at.
  for (const words of ['The first boat comes in.', live.body]) {
    const { version } = await app.db.post.findUniqueOrThrow({ where: { id: live.id } });
    const save = { postId: live.id, version, intent: 'save', fields: { body: words } } as const;
    await editPost(app, { ...save, editorId: room.ada.id });
  }
  const [category, tag, media] = [room.categories[0]!, room.tags[0]!, room.media[0]!];
  const backend: [name: string, path: string, act?: ScreenState['act']][] = [
    ['dashboard', ''],
    ['posts', 'posts'],
    ['posts-none', 'posts?q=nothing+is+called+that'],
    ['posts-bulk', 'posts', chooseForBulk],
    ['editor-new', 'posts/new'],
    ['editor-draft', `posts/${draft.id}`],
    ['editor-live', `posts/${live.id}`, showPreview],
    ['editor-error', `posts/${draft.id}`, (page) => page.click('button[value=schedule]')],
    ['editor-preview', `posts/${live.id}`, (page) => page.click('button[value=preview]')],
    ['editor-all-open', `posts/${live.id}`, openAll],
    ['editor-keys', `posts/${draft.id}`, (page) => page.click('[popovertarget=keys]')],
    ['revisions', `posts/${live.id}/revisions`],
    ['previews', `posts/${draft.id}/previews`, (page) => page.click('text=New link')],
    ['conflict', `posts/${live.id}`, makeConflict],
    ['calendar', 'calendar'],
    ['media', 'media'],
    ['media-item', `media/${media.id}`],
    ['categories', 'categories'],
    ['category', `categories/${category.id}`],
    ['tags', 'tags'],
    ['tag', `tags/${tag.id}`],
    ['users', 'users'],
    ['user-new', 'users/new'],
    ['user', `users/${room.sam.id}`],
    ['appearance', 'appearance'],
    ['account', 'account'],
    ['second-factor', 'account/second-factor'],
    ['system', 'system'],
    ['audit', 'audit'],
    ['settings-site', 'settings/site'],
    ['settings-publishing', 'settings/publishing'],
    ['settings-email', 'settings/email'],
    ['settings-security', 'settings/security'],
    ['backend-not-found', `posts/${category.id}`],
  ];
  const outside: [name: string, path: string][] = [
    ['login', '/admin/login'],
    ['forgot', '/admin/login/forgot'],
    ['reset', '/admin/login/reset?token=none'],
    ['home', '/'],
    ['post', `/posts/${live.slug}`],
    ['archive', '/archive'],
    ['site-category', `/categories/${category.slug}`],
    ['site-tag', `/tags/${tag.slug}`],
    ['author', '/authors/ada'],
    ['search', '/search?q=harbour'],
    ['search-none', '/search?q=xyzzy'],
    ['not-found', '/nothing-here'],
  ];
  return [
    ...backend.map(([name, path, act]) => ({ name, path: `/admin/${path}`.replace(/\/$/, ''), act })),
    ...outside.map(([name, path]) => ({ name, path, loggedOut: true as const })),
  ];

  async function makeConflict(page: Page) {
    const { version, body } = await app.db.post.findUniqueOrThrow({ where: { id: live.id } });
    await editPost(app, {
      postId: live.id,
      version,
      intent: 'save',
      fields: { body: `${body}\n\nTheir word number ${version}.`, title: 'The lights of the harbour' },
      editorId: room.sam.id,
    });
    await page.fill('[name=body]', body.replace('The first boat', 'The very first boat'));
    await page.fill('[name=title]', 'The harbour lights return');
    await page.click('button[value=save]');
    await page.waitForSelector('.conflict');
  }
}

async function chooseForBulk(page: Page) {
  const boxes = page.locator('input[name=ids]');
  for (const index of [0, 1, 2]) await boxes.nth(index).check();
  await page.selectOption('select[name=action]', 'archive');
  await page.click('text=Go on');
  await page.waitForURL('**/posts/bulk');
}

async function showPreview(page: Page) {
  await page.getByRole('button', { name: 'Live preview' }).click();
  await page.waitForSelector('.live-preview .prose > *');
}

async function openAll(page: Page) {
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('details')) part.open = true;
  });
}
