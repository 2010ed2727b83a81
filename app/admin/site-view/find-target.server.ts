import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { may, mayActOnPost } from '#app/people/roles.ts';
import { findAddress } from '#app/posts/addresses/find-address.server.ts';
import { findByPath, findPage, type AddressTarget } from '#app/posts/addresses/find-by-path.server.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { encodePath } from '#app/posts/paths.ts';
import { readSetting } from '#app/settings/queries.server.ts';

/**
 * The target of a public path, and the address of its editor. `target` is null for an unknown path and for a post that
 * the user may not see; `editor` is null if the user may not edit the target.
 * @param path unencoded, such as `/posts/tides`; null for an address outside this site
 */
export async function findVisibleTarget(
  { app, user, adminContext }: Pick<ScreenArguments, 'app' | 'user' | 'adminContext'>,
  path: string | null,
): Promise<{ target: AddressTarget | null; editor: string | null }> {
  const target = path === null ? null : await findTarget(app, path);
  if (!target) return { target: null, editor: null };
  const editor = editorOf(target, adminContext.adminPath);
  switch (target.kind) {
    case 'post': {
      const isOwn = mayActOnPost(user, target, 'view');
      if (!isOwn && target.status !== 'published') return { target: null, editor: null };
      return { target, editor: isOwn ? editor : null };
    }
    case 'author':
      if (may(user, 'users:manage')) return { target, editor };
      return { target, editor: target.id === user.id ? adminUrl(adminContext.adminPath, 'account') : null };
    default: {
      if (may(user, 'taxonomy:manage')) return { target, editor };
      const scope = target.kind === 'tag' ? { tagId: target.id } : { categoryId: target.id };
      // A term without published posts could betray a plan.
      return { target: (await countPosts(app, scope)) > 0 ? target : null, editor: null };
    }
  }
}

/** Like `findByPath`, and also finds the page that is the home page, and addresses below a language. */
async function findTarget(app: ScreenArguments['app'], path: string): Promise<AddressTarget | null> {
  const home = path === '/' ? await readSetting(app, 'home_page') : '';
  const target = (home === '' ? null : await findPage(app, home)) ?? (await findByPath(app, path));
  if (target) return target;
  const siteAddress = await findAddress(app, encodePath(path));
  if (!siteAddress) return null;
  return findByPath(
    app,
    decodeURIComponent('redirect' in siteAddress ? siteAddress.redirect : siteAddress.route),
  );
}

/** The address of the form that edits a target. */
function editorOf({ kind, id }: AddressTarget, adminPath: string): string {
  const segment = { post: 'posts', category: 'categories', tag: 'tags', author: 'users' }[kind];
  return adminUrl(adminPath, segment, id);
}
