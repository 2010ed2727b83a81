import { adminUrl } from '#app/admin/admin-url.ts';
import type { ScreenArguments } from '#app/admin/screen.ts';
import { may, mayActOnPost } from '#app/auth/roles.ts';
import { findById, findByPath, type PublicThing } from '#app/posts/find-by-path.server.ts';
import { encodePath } from '#app/posts/paths.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { findAddress } from '#app/site/find-address.server.ts';

/** What is at the address, as far as this person may see it, and where it is edited. */
export async function seenBy(
  { app, user, adminContext }: Pick<ScreenArguments, 'app' | 'user' | 'adminContext'>,
  path: string | null,
): Promise<{ thing: PublicThing | null; editor: string | null }> {
  const thing = path === null ? null : await findThing(app, path);
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

/** Also the page that is the home, and what is below a language. */
async function findThing(app: ScreenArguments['app'], path: string): Promise<PublicThing | null> {
  const home = path === '/' ? await readSetting(app, 'home_page') : '';
  if (home !== '') return findById(app, home);
  const thing = await findByPath(app, path);
  if (thing) return thing;
  const found = await findAddress(app, encodePath(path));
  if (!found) return null;
  return findByPath(app, decodeURIComponent('redirect' in found ? found.redirect : found.route));
}

/** Where a thing is edited. */
function editorOf({ kind, id }: PublicThing, adminPath: string): string {
  const segment = { post: 'posts', category: 'categories', tag: 'tags', author: 'users' }[kind];
  return adminUrl(adminPath, segment, id);
}
