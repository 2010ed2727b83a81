import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { inJson } from '#app/admin/frame/json-answers.server.ts';
import type { ActionArguments } from '#app/admin/frame/screen.ts';
import { postsVisibleTo } from '#app/people/roles.ts';
import { AppError } from '#app/platform/errors.ts';
import { apiData } from '#app/platform/http/responses.ts';
import { messageOfIssue } from '#app/platform/message.ts';
import { articleFieldNames, pickFields } from '#app/posts/fields/fields.ts';
import { postFieldsSchema } from '#app/posts/fields/form.ts';
import { articleColumns, toArticle } from '#app/posts/lists/public-post.ts';
import { pictureColumns } from '#app/posts/pictures/public-image.ts';
import { renderBody } from '#app/publishing/post-row/body.server.ts';
import { readFields } from './check.server.ts';

/** The address has no page: only the editor posts here. */
export function load(): Promise<never> {
  throw new AppError('not_found', 'There is nothing here.');
}

/** The submitted form: its page with `?page`, for a frame; otherwise its text. Nothing is saved. */
export function act(args: ActionArguments): Promise<Response> {
  return new URL(args.request.url).searchParams.has('page') ? showPage(args) : showText(args);
}

/** The live preview: the text of the form as the server renders it, `{html}`. */
const showText = inJson(async ({ app, form, adminContext }) => {
  const schema = postFieldsSchema(adminContext.timeZone);
  const parsed = schema.pick({ body: true }).safeParse(form.values);
  if (!parsed.success) throw new AppError('invalid_input', messageOfIssue(parsed.error.issues[0]!));
  // A tag that is half typed is no reason to show no preview.
  const language = schema.pick({ language: true }).safeParse(form.values);
  const { html } = await renderBody(app, parsed.data.body ?? '', language.data?.language);
  return apiData({ html });
});

/**
 * The page as the site renders it. Authors and tags are those of the last save of the post in `?post`, which is missing
 * for a new post.
 */
async function showPage(args: ActionArguments): Promise<Response> {
  const { app, form, request, user, adminContext, renderSiteView, allowOwnFrames } = args;
  if (!renderSiteView) throw new AppError('unavailable', 'Previews need the built server: npm start.');
  const fields = readFields(form.values, adminContext);
  const id = new URL(request.url).searchParams.get('post') ?? '';
  const stored = await app.db.post.findFirst({
    where: { id, ...postsVisibleTo(user) },
    select: articleColumns,
  });
  const { categoryId, coverMediaId, coverAlt, coverDecorative, coverFocus } = fields;
  const { html, tableOfContents, wordCount } = await renderBody(app, fields.body, fields.language);
  const post = toArticle({
    id,
    slug: fields.slug,
    title: fields.title,
    excerpt: fields.excerpt,
    publishedAt: fields.publishedAt,
    author: stored?.author ?? user,
    authors: stored?.authors ?? [],
    tags: stored?.tags ?? [],
    sourceGuid: '',
    listedIn: '',
    contentUpdatedAt: app.clock.now(),
    bodyHtml: html,
    tableOfContents: JSON.stringify(tableOfContents),
    wordCount,
    ...pickFields(fields, articleFieldNames),
    ...{ categoryId, coverAlt, coverDecorative, coverFocus },
    category: categoryId
      ? await app.db.category.findUnique({
          where: { id: categoryId },
          select: { slug: true, name: true },
        })
      : null,
    coverMedia: coverMediaId
      ? await app.db.media.findUnique({ where: { id: coverMediaId }, select: pictureColumns })
      : null,
  });
  allowOwnFrames?.();
  return renderSiteView('/preview/form', {
    base: adminUrl(adminContext.adminPath, 'site'),
    // Other pages don't open in the frame.
    bar: '<base target="_blank"/>',
    post,
  });
}
