import { findPostFor } from '#app/admin/editor/model/post.server.ts';
import { readFields } from '#app/admin/editor/preview/check.server.ts';
import type { ActionArguments, ScreenArguments } from '#app/admin/frame/screen.ts';
import { wordsFor } from '#app/admin/languages/words-for.server.ts';
import { previewMail, sizeOf, type IssueMail, readMailPost } from '#app/newsletter/issue-mail.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { escapeAttribute as escaped } from '#app/platform/text/html.ts';
import { directionOf } from '#app/platform/text/languages.ts';
import { renderBody } from '#app/publishing/post-row/body.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';

/** The mail of the saved post. */
export async function load(args: ScreenArguments): Promise<Response> {
  const { id, emailSubject, emailPreview } = await findPostFor(
    args.app,
    args.user,
    args.params.id,
    'publish',
  );
  return show(args, id, { emailSubject, emailPreview });
}

/** The mail of the submitted form, saved or not. Changes nothing. */
export async function act(args: ActionArguments): Promise<Response> {
  const { app, user, params, form, adminContext } = args;
  const row = await findPostFor(app, user, params.id, 'publish');
  const fields = readFields(form.values, adminContext);
  const { html: bodyHtml } = await renderBody(app, fields.body, fields.language);
  return show(args, row.id, { ...fields, bodyHtml });
}

async function show(
  args: ScreenArguments,
  postId: string,
  fields: Parameters<typeof readMailPost>[2] & { emailSubject: string; emailPreview: string },
) {
  const { app } = args;
  const { emailSubject: subject, emailPreview: preview } = fields;
  const post = await readMailPost(app, postId, fields);
  if (!post) throw new AppError('not_found', 'This post does not exist.');
  args.allowMail?.();
  const mail = previewMail(app.env.siteUrl, await readSettings(app), post, { subject, preview });
  return new Response(page(args, mail), {
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

/** All four at once, without a script: wide, as on a phone, dark, and the text part. */
function page({ adminContext }: ScreenArguments, mail: IssueMail): string {
  const t = wordsFor(adminContext);
  const { language } = adminContext;
  const size = (sizeOf(mail) / 1024).toFixed(1);
  const dark = mail.html.replace('@media (prefers-color-scheme: dark)', '@media all');
  const light = mail.html.replace('@media (prefers-color-scheme: dark)', '@media not all');
  const frame = (name: string, html: string, width: number) =>
    `<figure><figcaption>${escaped(name)}</figcaption><iframe sandbox title="${escaped(name)}" width="${width}" height="640" srcdoc="${escaped(html)}"></iframe></figure>`;
  return `<!doctype html>
<html lang="${escaped(language)}" dir="${directionOf(language) ?? 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(mail.subject)}</title>
<style>
body { margin: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #222; background: #eee; }
.views { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; }
h1 { font-size: 1.25rem; margin: 0; }
figure { margin: 0; max-width: 100%; }
figcaption { font-weight: 600; }
iframe, pre { border: 1px solid #999; background: #fff; max-width: 100%; resize: vertical; }
pre { box-sizing: border-box; width: 640px; height: 640px; margin: 0; padding: 1rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>
<h1>${escaped(mail.subject)}</h1>
<p>${escaped(t('{size} KB of 102 KB, at which Gmail cuts a mail', { size }))}</p>
<div class="views">
${frame(t('Desktop'), light, 640)}
${frame(t('Phone'), light, 320)}
${frame(t('Dark'), dark, 640)}
<figure><figcaption>${escaped(t('Text'))}</figcaption><pre tabindex="0">${escaped(mail.text)}</pre></figure>
</div>
</main>
</body>
</html>
`;
}
