import { adminUrl } from '#app/admin/admin-url.ts';
import type { ScreenArguments } from '#app/admin/screen.ts';
import { may, mayActOnPost } from '#app/auth/roles.ts';
import { findByPath, type PublicThing } from '#app/posts/find-by-path.server.ts';
import { editorOf } from './edit-address.server.ts';

/** What is at the address as far as this person may know, and where it is edited. */
export async function seenBy(
  { app, user, adminContext }: Pick<ScreenArguments, 'app' | 'user' | 'adminContext'>,
  path: string | null,
): Promise<{ thing: PublicThing | null; editor: string | null }> {
  const thing = path === null ? null : await findByPath(app, path);
  if (!thing) return { thing: null, editor: null };
  const editor = editorOf(thing, adminContext.adminPath);
  switch (thing.kind) {
    case 'post': {
      const isOwn = mayActOnPost(user, thing, 'view');
      if (!isOwn && thing.status !== 'published') return { thing: null, editor: null };
      return { thing, editor: isOwn ? editor : null };
    }
    case 'author':
      if (may(user, 'users:manage')) return { thing, editor };
      return { thing, editor: thing.id === user.id ? adminUrl(adminContext.adminPath, 'account') : null };
    default:
      return { thing, editor: may(user, 'taxonomy:manage') ? editor : null };
  }
}
