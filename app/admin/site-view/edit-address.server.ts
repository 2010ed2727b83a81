import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import { decodeBarePath } from '#app/posts/paths.ts';
import { findVisibleTarget } from './find-target.server.ts';

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
