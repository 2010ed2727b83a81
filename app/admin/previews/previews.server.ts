import { z } from 'zod';
import { adminUrl } from '#app/admin/admin-url.ts';
import { findPostFor } from '#app/admin/editor/find-post.server.ts';
import { wantsJson } from '#app/admin/json-answers.server.ts';
import type { ActionArguments, ActionResult, Done, ScreenArguments } from '#app/admin/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import { createPreviewLink, listPreviewLinks, revokePreviewLink } from '#app/posts/preview-links.server.ts';

export async function load({ app, params, user, request }: ScreenArguments) {
  const row = await findPostFor(app, user, params.id);
  return {
    post: { id: row.id, title: row.title, status: row.status },
    links: await listPreviewLinks(app, row.id),
    revoked: new URL(request.url).searchParams.has('revoked'),
  };
}

const formSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('create') }),
  z.object({ intent: z.literal('revoke'), linkId: z.string().max(64) }),
]);

/** A link that was just made; its address is shown this once. */
export interface CreatedLink {
  address: string;
  expiresAt: Date;
}

/** Makes a link, which is shown this once, or ends one. */
export async function act({
  app,
  form,
  params,
  user,
  adminContext,
  request,
}: ActionArguments): Promise<ActionResult<{ created: CreatedLink }> | Done | Response> {
  const row = await findPostFor(app, user, params.id);
  const parsed = formSchema.safeParse(form.values);
  if (!parsed.success) throw new AppError('invalid_input', 'This action is unknown. Use one of the buttons.');
  if (parsed.data.intent === 'create') {
    const link = await createPreviewLink(app, { postId: row.id, createdById: user.id });
    const created = { address: new URL(link.path, app.env.siteUrl).href, expiresAt: link.expiresAt };
    if (wantsJson(request))
      return Response.json({ id: link.id, version: null, status: null, location: link.path, created });
    return { created };
  }
  await revokePreviewLink(app, { postId: row.id, linkId: parsed.data.linkId });
  return { location: `${adminUrl(adminContext.adminPath, 'posts', row.id, 'previews')}?revoked`, id: row.id };
}
