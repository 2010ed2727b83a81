import { createElement, lazy, type ComponentType } from 'react';
import type { ScreenPage } from './enter-screen.server.ts';
import type { AdminContext } from './screen.ts';
import type { PageId, ScreenData, ScreenResult } from './screen-types.ts';

type Views = {
  [Id in PageId]: ComponentType<{
    data: ScreenData<Id>;
    result: ScreenResult<Id> | undefined;
    adminContext: AdminContext;
  }>;
};

/** The view of every screen. Each is a separate chunk, typed by the screen's loader and action. */
const views: Views = {
  login: lazy(() => import('./login/login.tsx')),
  'login-code': lazy(() => import('./login/code.tsx')),
  forgot: lazy(() => import('./login/forgot.tsx')),
  'choose-password': lazy(() => import('./login/choose-password.tsx')),
  resume: lazy(() => import('./login/resume.tsx')),
  // The screen only redirects.
  logout: () => null,
  // The screen sends a public page.
  'site-view': () => null,
  dashboard: lazy(() => import('./dashboard/dashboard.tsx')),
  posts: lazy(() => import('./posts/posts.tsx')),
  bulk: lazy(() => import('./posts/bulk.tsx')),
  calendar: lazy(() => import('./calendar/calendar.tsx')),
  releases: lazy(() => import('./releases/releases.tsx')),
  'new-release': lazy(() => import('./releases/new-release.tsx')),
  release: lazy(() => import('./releases/release.tsx')),
  time: lazy(() => import('./time/time.tsx')),
  system: lazy(() => import('./system/system.tsx')),
  editor: lazy(() => import('./editor/editor.tsx')),
  revisions: lazy(() => import('./revisions/revisions.tsx')),
  previews: lazy(() => import('./previews/previews.tsx')),
  media: lazy(() => import('./media/media.tsx')),
  'media-item': lazy(() => import('./media/media-item.tsx')),
  categories: lazy(() => import('./terms/terms.tsx')),
  category: lazy(() => import('./terms/term.tsx')),
  tags: lazy(() => import('./terms/terms.tsx')),
  tag: lazy(() => import('./terms/term.tsx')),
  publish: lazy(() => import('./publish/publish.tsx')),
  trash: lazy(() => import('./trash/trash.tsx')),
  users: lazy(() => import('./users/users.tsx')),
  'new-user': lazy(() => import('./users/new-user.tsx')),
  user: lazy(() => import('./users/user.tsx')),
  account: lazy(() => import('./account/account.tsx')),
  'second-factor': lazy(() => import('./account/second-factor.tsx')),
  audit: lazy(() => import('./audit/audit.tsx')),
  appearance: lazy(() => import('./appearance/appearance.tsx')),
  // The screen sends public pages.
  'appearance-preview': () => null,
  settings: lazy(() => import('./settings/settings.tsx')),
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
