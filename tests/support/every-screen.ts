// Every screen of the backend and every kind of public page, with the states worth looking at: what axe
// examines and what the screenshots show.
import type { Page } from 'playwright-core';
import type { App } from '#app/app.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { newId } from '#app/platform/clock.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { fromMenu, pressSave } from './browser-session.ts';
import type { createDemoContent } from './demo-content.ts';
import { createPost } from './factories.ts';

export interface ScreenState {
  name: string;
  /** From the site's root. */
  path: string;
  /** What to do there first. */
  act?: (page: Page) => Promise<unknown>;
  /** Seen by nobody who has logged in. */
  loggedOut?: true;
}

/** The screens and pages for the content of `createDemoContent`, and what they need besides it. */
export async function everyScreen(
  app: App,
  demo: Awaited<ReturnType<typeof createDemoContent>>,
): Promise<ScreenState[]> {
  const draft = await app.db.post.findFirstOrThrow({ where: { status: 'draft' }, orderBy: { id: 'asc' } });
  const live = await app.db.post.findFirstOrThrow({
    where: { status: 'published', coverMediaId: { not: null } },
    orderBy: { id: 'asc' },
  });
  // Makes revisions to compare.
  for (const words of ['The first boat comes in.', live.body]) {
    const { version } = await app.db.post.findUniqueOrThrow({ where: { id: live.id } });
    const save = { postId: live.id, version, intent: 'save', fields: { body: words } } as const;
    await editPost(app, { ...save, editorId: demo.ada.id });
  }
  const { id: editorId } = demo.ada;
  const by = byUser({ id: editorId, displayName: 'Ada Lindqvist' }, '127.0.0.1');
  const release = await createRelease(app, { name: 'Spring', publishAt: null, step: 'save', by });
  const forRelease = await createPost(app, { title: 'Waits for spring', authorId: editorId });
  await addPostsToRelease(app, { releaseId: release.id, postIds: [forRelease.id], editorId });
  const trashed = await createPost(app, { title: 'No longer wanted', authorId: editorId });
  await trashPost(app, { postId: trashed.id, version: 1, editorId });
  const webhook = await createWebhook(app);
  const issue = await app.db.newsletterIssue.create({
    data: {
      id: newId(app.clock),
      postId: live.id,
      subject: live.title,
      state: 'sent',
      dueAt: app.clock.now(),
      createdAt: app.clock.now(),
    },
  });
  const [category, tag, media] = [demo.categories[0]!, demo.tags[0]!, demo.media[0]!];
  const backend: [name: string, path: string, act?: ScreenState['act']][] = [
    ['dashboard', ''],
    ['posts', 'posts'],
    ['posts-none', 'posts?q=nothing+is+called+that'],
    ['posts-bulk', 'posts', chooseForBulk],
    ['posts-bulk-none', 'posts/bulk'],
    ['editor-new', 'posts/new'],
    ['editor-draft', `posts/${draft.id}`],
    ['editor-live', `posts/${live.id}`, showPreview],
    ['editor-error', `posts/${draft.id}`, makeError],
    ['publish-panel', `posts/${draft.id}`, openPublishPanel],
    ['publish', `posts/${draft.id}/publish`],
    ['publish-done', `posts/${live.id}/publish?done`],
    ['editor-preview', `posts/${live.id}`, pressPreview],
    ['editor-all-open', `posts/${live.id}`, openAll],
    ['editor-keys', `posts/${draft.id}`, (page) => fromMenu(page, 'Keyboard map')],
    ['snippets', 'snippets'],
    ['revisions', `posts/${live.id}/revisions`],
    ['previews', `posts/${draft.id}/previews`, (page) => page.click('text=New link')],
    ['conflict', `posts/${live.id}`, makeConflict],
    ['calendar', 'calendar'],
    ['releases', 'releases'],
    ['release', `releases/${release.id}`],
    ['release-new', 'releases/new'],
    ['time', 'time'],
    ['trash', 'trash'],
    ['media', 'media'],
    ['media-item', `media/${media.id}`],
    ['categories', 'categories'],
    ['category', `categories/${category.id}`],
    ['tags', 'tags'],
    ['tag', `tags/${tag.id}`],
    ['users', 'users'],
    ['user-new', 'users/new'],
    ['user', `users/${demo.sam.id}`],
    ['appearance', 'appearance'],
    ['appearance-preview', `appearance/preview/posts/${live.slug}`],
    ['appearance-preset', `appearance/presets/gazette/posts/${live.slug}`],
    ['site-view', `site/posts/${live.slug}`],
    ['account', 'account'],
    ['second-factor', 'account/second-factor'],
    ['mail', `posts/${live.id}/mail`],
    ['newsletter', 'newsletter'],
    ['newsletter-issue', `newsletter/${issue.id}`],
    ['subscribers', 'subscribers'],
    ['system', 'system'],
    ['effects', 'effects'],
    ['webhooks', 'webhooks'],
    ['webhook-new', 'webhooks/new'],
    ['webhook', `webhooks/${webhook.id}`],
    ['webhook-deliveries', `webhooks/${webhook.id}/deliveries`],
    ['audit', 'audit'],
    ['settings-site', 'settings/site'],
    ['settings-navigation', 'settings/navigation'],
    ['settings-publishing', 'settings/publishing'],
    ['settings-email', 'settings/email'],
    ['settings-security', 'settings/security'],
    ['settings-delivery', 'settings/delivery'],
    ['backend-not-found', `posts/${category.id}`],
  ];
  const outside: [name: string, path: string][] = [
    ['login', '/admin/login'],
    ['forgot', '/admin/login/forgot'],
    ['reset', '/admin/login/reset?token=none'],
    ['invitation', '/admin/login/invitation?token=none'],
    ['home', '/'],
    ['post', `/posts/${live.slug}`],
    ['archive', '/archive'],
    ['feed', '/rss.xml'],
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
      editorId: demo.sam.id,
    });
    await page.locator('.writing[data-live]').waitFor();
    await page.fill('[name=body]', body.replace('The first boat', 'The very first boat'));
    await page.fill('[name=title]', 'The harbour lights return');
    await pressSave(page);
    await page.getByRole('button', { name: 'Compare both' }).click();
    await page.waitForSelector('.conflict');
  }
}

/** In the table itself: its address need not answer. */
async function createWebhook({ db, clock }: App) {
  const [id, now] = [newId(clock), clock.now()];
  return db.webhook.create({
    data: {
      id,
      name: 'Newsroom',
      url: 'https://hooks.example.com/dateline',
      events: JSON.stringify(['post.published', 'post.updated']),
      secret: '',
      createdAt: now,
      updatedAt: now,
    },
  });
}

async function chooseForBulk(page: Page) {
  const boxes = page.locator('input[name=ids]');
  for (const index of [0, 1, 2]) await boxes.nth(index).check();
  await page.selectOption('select[name=action]', 'archive');
  await page.click('text=Continue');
  await page.waitForURL('**/posts/bulk');
}

async function makeError(page: Page) {
  await page.locator('.writing[data-live]').waitFor();
  await page.fill('[name=title]', '');
  await pressSave(page);
  await page.waitForSelector('#field-title-error');
}

async function openPublishPanel(page: Page) {
  await page.locator('.writing[data-live]').waitFor();
  await page.getByRole('button', { name: /^(Publish…|Schedule for .*)$/ }).click();
  await page.waitForSelector('.publish-panel .when .check:nth-of-type(3)');
}

/** On a phone the button stands in the menu. */
async function pressPreview(page: Page) {
  const button = page.locator('.editor-bar-buttons > [value=preview]');
  await ((await button.isVisible()) ? button.click() : fromMenu(page, /^Preview$/));
  await page.frameLocator('.page-preview iframe').locator('.article').waitFor();
}

async function showPreview(page: Page) {
  await page.locator('.writing[data-live]').waitFor();
  await fromMenu(page, 'Live preview');
  await page.waitForSelector('.live-preview .prose > *');
}

async function openAll(page: Page) {
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('details')) part.open = true;
  });
}
