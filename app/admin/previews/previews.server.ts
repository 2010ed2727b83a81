import * as z from 'zod';
import { findPostFor } from '#app/admin/editor/model/post.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { wantsJson } from '#app/admin/frame/json-answers.server.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import { createPreviewLink, listPreviewLinks, revokePreviewLink } from '#app/posts/previews/links.server.ts';

export async function load({ app, params, user, request }: ScreenArguments) {
  const row = await findPostFor(app, user, params.id);
  const links = await listPreviewLinks(app, row.id);
  const { searchParams } = new URL(request.url);
  return {
    post: { id: row.id, title: row.title, status: row.status },
    links: links.map(({ path, ...link }) => ({
      ...link,
      address: path && new URL(path, app.env.siteUrl).href,
    })),
    created: searchParams.get('created'),
    revoked: searchParams.has('revoked'),
  };
}

const formSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('create') }),
  z.object({ intent: z.literal('revoke'), linkId: z.string().max(64) }),
]);

/** Makes a link or ends one. A script gets the new link's address too. */
export async function act({
  app,
  form,
  params,
  user,
  adminContext,
  request,
}: ActionArguments): Promise<Done | Response> {
  const row = await findPostFor(app, user, params.id);
  const parsed = formSchema.safeParse(form.values);
  if (!parsed.success) throw new AppError('invalid_input', 'This action is unknown. Use one of the buttons.');
  const page = adminUrl(adminContext.adminPath, 'posts', row.id, 'previews');
  if (parsed.data.intent === 'revoke') {
    await revokePreviewLink(app, { postId: row.id, linkId: parsed.data.linkId });
    return { location: `${page}?revoked`, id: row.id };
  }
  const { id, path, expiresAt } = await createPreviewLink(app, { postId: row.id, createdById: user.id });
  const location = `${page}?created=${id}`;
  if (!wantsJson(request)) return { location, id };
  const created = { address: new URL(path, app.env.siteUrl).href, expiresAt };
  return Response.json({ id, version: null, status: null, location, created });
}
