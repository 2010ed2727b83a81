import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/admin-url.ts';
import type { ScreenArguments } from '#app/admin/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import { findByPath, type PublicThing } from '#app/posts/find-by-path.server.ts';

/** Leads from a public address to the editor of what is there (contract, section 8). */
export async function load({ app, request, adminContext }: ScreenArguments): Promise<Response> {
  const asked = new URL(request.url).searchParams.get('path') ?? '';
  const path = publicPath(asked, app.env.siteUrl, adminContext.adminPath);
  const thing = path === null ? null : await findByPath(app, path);
  if (!thing) throw new AppError('not_found', 'Nothing that can be edited is at this address.');
  return redirect(editorOf(thing, adminContext.adminPath));
}

/** Where a thing is edited. */
export function editorOf({ kind, id }: PublicThing, adminPath: string): string {
  const segment = { post: 'posts', category: 'categories', tag: 'tags', author: 'users' }[kind];
  return adminUrl(adminPath, segment, id);
}

/** A path or an address of this site, also one of the site view, as rows name it: decoded, without a slash at the end. */
export function publicPath(address: string, siteUrl: string, adminPath: string): string | null {
  if (address.length > 2_000 || !URL.canParse(address, siteUrl)) return null;
  const url = new URL(address, siteUrl);
  if (url.origin !== siteUrl) return null;
  const inside = `${adminUrl(adminPath)}/site`;
  const path = url.pathname.startsWith(`${inside}/`) ? url.pathname.slice(inside.length) : url.pathname;
  try {
    const decoded = decodeURIComponent(path)
      .normalize('NFC')
      .replace(/(.)\/+$/, '$1');
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return null;
  }
}
