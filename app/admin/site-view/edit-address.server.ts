import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { may, mayActOnPost } from '#app/people/roles.ts';
import { AppError } from '#app/platform/errors.ts';
import {
  findAddress,
  findByPath,
  findPage,
  type AddressTarget,
} from '#app/posts/addresses/find-address.server.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { encodePath, decodeBarePath } from '#app/posts/paths.ts';
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

/** Redirects from a public address to the editor of its post, term or author (contract, section 8). */
export async function load(args: ScreenArguments): Promise<Response> {
  const { app, request, adminContext } = args;
  const requested = new URL(request.url).searchParams.get('path') ?? '';
  const path = publicPath(requested, app.env.siteUrl, adminContext.adminPath);
  const { target, editor } = await findVisibleTarget(args, path);
  if (!target) throw new AppError('not_found', 'Nothing at this address can be edited.');
  if (!editor) throw new AppError('forbidden', 'Your role can’t edit this.');
  return redirect(editor);
}

/** The stored form of a path or address of this site or the site view: decoded, without a slash at the end. */
export function publicPath(address: string, siteUrl: string, adminPath: string): string | null {
  if (address.length > 2_000 || !URL.canParse(address, siteUrl)) return null;
  const url = new URL(address, siteUrl);
  if (url.origin !== siteUrl) return null;
  const inside = `${adminUrl(adminPath)}/site`;
  const path = url.pathname.startsWith(`${inside}/`) ? url.pathname.slice(inside.length) : url.pathname;
  return decodeBarePath(path);
}
