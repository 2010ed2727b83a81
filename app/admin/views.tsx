import { createElement, lazy, type ComponentType } from 'react';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import type { ScreenPage } from './enter-screen.server.ts';
import type { PageId, ScreenData, ScreenResult } from './screen-types.ts';

const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 60_000;

type Views = {
  [Id in PageId]: ComponentType<{
    data: ScreenData<Id>;
    result: ScreenResult<Id> | undefined;
    adminContext: AdminContext;
  }>;
};

/**
 * Loads code until it is there. Each wait is twice as long as the one before, up to a minute: a tab that is left open
 * while the server is away, or after an upgrade has removed the file, must not ask for it every few seconds for ever.
 * Only the first failure is logged.
 */
export async function loadAgain<Code>(load: () => Promise<Code>): Promise<Code> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS))
    try {
      return await load();
    } catch (error) {
      // In a browser: nothing else records why the screen stays a plain form.
      // oxlint-disable-next-line no-console
      if (waitMs === FIRST_WAIT_MS) console.warn('Code of this page cannot be loaded. Trying again:', error);
      await new Promise((done) => setTimeout(done, waitMs));
    }
}

/**
 * A view whose code is loaded apart. While it cannot be loaded, the page stays as the server sent it, a form that works
 * without scripts: an error would take away what somebody has typed. It is tried again until it is there.
 */
const screenView: typeof lazy = (load) => lazy(import.meta.env.SSR ? load : () => loadAgain(load));

/** The view of every screen. Each is a separate chunk, typed by the screen's loader and action. */
const views: Views = {
  login: screenView(() => import('./login/login.tsx')),
  'login-code': screenView(() => import('./login/code.tsx')),
  forgot: screenView(() => import('./login/forgot.tsx')),
  'choose-password': screenView(() => import('./login/choose-password.tsx')),
  resume: screenView(() => import('./login/resume.tsx')),
  // The screen only redirects.
  logout: () => null,
  // These screens send pages of their own.
  mail: () => null,
  'site-view': () => null,
  dashboard: screenView(() => import('./dashboard/dashboard.tsx')),
  posts: screenView(() => import('./posts/posts.tsx')),
  bulk: screenView(() => import('./posts/bulk.tsx')),
  calendar: screenView(() => import('./calendar/calendar.tsx')),
  releases: screenView(() => import('./releases/releases.tsx')),
  'new-release': screenView(() => import('./releases/new.tsx')),
  release: screenView(() => import('./releases/release.tsx')),
  time: screenView(() => import('./time-travel/time.tsx')),
  system: screenView(() => import('./system/system.tsx')),
  editor: screenView(() => import('./editor/page/editor.tsx')),
  revisions: screenView(() => import('./revisions/revisions.tsx')),
  snippets: screenView(() => import('./snippets/snippets.tsx')),
  previews: screenView(() => import('./previews/previews.tsx')),
  media: screenView(() => import('./media/media.tsx')),
  'media-item': screenView(() => import('./media/item.tsx')),
  categories: screenView(() => import('./terms/terms.tsx')),
  category: screenView(() => import('./terms/term.tsx')),
  tags: screenView(() => import('./terms/terms.tsx')),
  tag: screenView(() => import('./terms/term.tsx')),
  publish: screenView(() => import('./publish/publish.tsx')),
  trash: screenView(() => import('./trash/trash.tsx')),
  users: screenView(() => import('./users/users.tsx')),
  'new-user': screenView(() => import('./users/new.tsx')),
  user: screenView(() => import('./users/user.tsx')),
  account: screenView(() => import('./account/account.tsx')),
  'second-factor': screenView(() => import('./account/second-factor.tsx')),
  audit: screenView(() => import('./audit/audit.tsx')),
  newsletter: screenView(() => import('./newsletter/newsletter.tsx')),
  issue: screenView(() => import('./newsletter/issue.tsx')),
  subscribers: screenView(() => import('./newsletter/subscribers.tsx')),
  effects: screenView(() => import('./effects/effects.tsx')),
  webhooks: screenView(() => import('./webhooks/webhooks.tsx')),
  'new-webhook': screenView(() => import('./webhooks/new.tsx')),
  webhook: screenView(() => import('./webhooks/webhook.tsx')),
  deliveries: screenView(() => import('./webhooks/deliveries.tsx')),
  appearance: screenView(() => import('./appearance/appearance.tsx')),
  // The screen sends public pages.
  'appearance-preview': () => null,
  settings: screenView(() => import('./settings/settings.tsx')),
};

/** Shows a screen. The type parameter matches a page's data with its view. */
export function ScreenView<Id extends PageId>({
  page,
  result,
}: {
  page: ScreenPage<Id>;
  result: ScreenResult<Id> | undefined;
}) {
  return createElement(views[page.id], { data: page.data, result, adminContext: page.adminContext });
}
