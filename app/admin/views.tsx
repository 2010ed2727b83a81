import { lazy, type ComponentType } from 'react';
import type { ActionResult, AdminContext } from './screen.ts';

type View = ComponentType<{ data: object; result: ActionResult | undefined; adminContext: AdminContext }>;

// Each screen's browser half is a chunk of its own. The table's ids tie data and view together, which
// TypeScript cannot see across the network; hence the one cast.
const load = (module: () => Promise<{ default: unknown }>) =>
  lazy(async () => ({ default: (await module()).default as View }));

const views: Record<string, View> = {
  login: load(() => import('./login/login.tsx')),
  resume: load(() => import('./login/resume.tsx')),
  dashboard: load(() => import('./dashboard/dashboard.tsx')),
  posts: load(() => import('./posts/posts.tsx')),
  editor: load(() => import('./editor/editor.tsx')),
  bulk: load(() => import('./posts/bulk.tsx')),
  calendar: load(() => import('./calendar/calendar.tsx')),
  system: load(() => import('./system/system.tsx')),
  revisions: load(() => import('./revisions/revisions.tsx')),
  previews: load(() => import('./previews/previews.tsx')),
  settings: load(() => import('./settings/settings.tsx')),
  'login-code': load(() => import('./login/code.tsx')),
  forgot: load(() => import('./login/forgot.tsx')),
  'choose-password': load(() => import('./login/choose-password.tsx')),
  media: load(() => import('./media/media.tsx')),
  'media-item': load(() => import('./media/media-item.tsx')),
  categories: load(() => import('./terms/terms.tsx')),
  category: load(() => import('./terms/term.tsx')),
  tags: load(() => import('./terms/terms.tsx')),
  tag: load(() => import('./terms/term.tsx')),
  users: load(() => import('./users/users.tsx')),
  'new-user': load(() => import('./users/new-user.tsx')),
  user: load(() => import('./users/user.tsx')),
  account: load(() => import('./account/account.tsx')),
  'second-factor': load(() => import('./account/second-factor.tsx')),
  audit: load(() => import('./audit/audit.tsx')),
};

/** The component of a screen. */
export function viewOf(id: string): View {
  const view = views[id];
  if (!view) throw new Error(`The screen ${id} has no view.`);
  return view;
}
