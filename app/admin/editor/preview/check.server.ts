import { readCategoryChoices, type EditorChoices } from '#app/admin/editor/model/data.server.ts';
import { inJson, messagesFor } from '#app/admin/frame/json-answers.server.ts';
import type { ScreenArguments, ActionArguments, AdminContext } from '#app/admin/frame/screen.ts';
import { publicationTimes, type PublicationTimes } from '#app/admin/times/publication-times.ts';
import { findDeadLinks, linksOf } from '#app/import/checks/links.server.ts';
import { countRecipients, hasIssue } from '#app/newsletter/forecast.server.ts';
import { previewMail, sizeOf, readMailPost } from '#app/newsletter/issue-mail.server.ts';
import { postsKnownTo, postsVisibleTo } from '#app/people/roles.ts';
import { AppError } from '#app/platform/errors.ts';
import { apiData } from '#app/platform/http/responses.ts';
import { say } from '#app/platform/message.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { type PostFields, emptyPostFields } from '#app/posts/fields/fields.ts';
import { postFieldsSchema } from '#app/posts/fields/form.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import type { Heading } from '#app/posts/markdown/decorate.ts';
import { excerptOf } from '#app/posts/markdown/excerpt.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { renderBody } from '#app/publishing/post-row/body.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { cardPreviewAddress } from './card.server.ts';
import { checkText, type PublishCheck } from './publish-checks.ts';

/** The most templates that the editor offers. The checks compare the text only with these. */
const TEMPLATES_MAX = 20;

/** What the publish page and the publish panel show of a post before it is published. */
export interface Publication extends PublicationTimes {
  /** The absolute URL that the post will have. */
  address: string;
  checks: PublishCheck[];
  /** For search results and shared links. */
  description: string;
  /** The address of the picture that is drawn for shared links if the post has no cover; null if it can't be drawn. */
  card: string | null;
  /** What its first publication sends; null: nothing can be sent. */
  mail: { recipients: number; kilobytes: string } | null;
}

/**
 * Describes a post as readers would see it after its publication.
 * @param rendered `html` and `headings` of the body; `creator`: the display name of the author if the fields have none;
 * `postId`: null for a new post
 */
export async function describePublication(
  { app, user, adminContext }: Pick<ScreenArguments, 'app' | 'user' | 'adminContext'>,
  fields: PostFields,
  {
    html,
    headings,
    creator,
    postId,
  }: { html: string; headings: Heading[]; creator: string; postId: string | null },
): Promise<Publication> {
  const path = encodePath(await publicPath({ app, user }, fields));
  const dead = await findDeadLinks(app, path, linksOf(html));
  const templates =
    fields.template === 'yes'
      ? []
      : await app.db.post.findMany({
          where: { template: 'yes', ...notTrashed, ...postsKnownTo(user) },
          select: { body: true },
          take: TEMPLATES_MAX,
        });
  return {
    address: app.env.siteUrl + path,
    checks: [
      ...checkText({ ...fields, html, headings, templates: templates.map(({ body }) => body) }),
      ...dead.map((link) => ({
        name: 'links' as const,
        message: say('{link} is not a page that readers can see.', { link }),
      })),
    ],
    description: fields.seoDescription || fields.excerpt || excerptOf(html),
    card: await cardPreviewAddress({ app, adminContext }, fields, creator),
    mail: await describeMail(app, fields, { postId, html }),
    ...publicationTimes(app.clock.now(), adminContext),
  };
}

async function describeMail(
  app: ScreenArguments['app'],
  fields: PostFields,
  { postId, html: bodyHtml }: { postId: string | null; html: string },
): Promise<Publication['mail']> {
  const settings = await readSettings(app);
  if (!settings.newsletter_enabled || fields.type === 'page') return null;
  if (postId !== null && (await hasIssue(app, postId))) return null;
  const { emailSubject: subject, emailPreview: preview } = fields;
  const unsaved = { ...fields, bodyHtml, cover: null, authors: [], publishedAt: null };
  const post = (postId && (await readMailPost(app, postId, { ...fields, bodyHtml }))) || unsaved;
  const mail = previewMail(app.env.siteUrl, settings, post, { subject, preview });
  return {
    recipients: await countRecipients(app, fields.categoryId),
    kilobytes: (sizeOf(mail) / 1024).toFixed(1),
  };
}

/** The path that the fields lead to. If another post has this path, saving fails with an error on the field. */
async function publicPath(
  { app, user }: Pick<ScreenArguments, 'app' | 'user'>,
  fields: PostFields,
): Promise<string> {
  const slug = fields.slug || toSlug(fields.title) || 'untitled';
  if (fields.type === 'post') return postPath(slug);
  const { parentId } = fields;
  const parent = parentId
    ? await app.db.post.findFirst({ where: { id: parentId, ...postsKnownTo(user) }, select: { slug: true } })
    : null;
  return `${parent?.slug ?? ''}/${slug}`;
}

/** A described publication, and the current categories: the page may have been open for hours. */
export type CheckedForm = Publication & Pick<EditorChoices, 'categories'>;

/** The address has no page: only the publish panel posts here. */
export function load(): Promise<never> {
  throw new AppError('not_found', 'There is nothing here.');
}

/** What the publish panel shows for the submitted form, which need not be saved. Changes nothing. */
export const act = inJson(async (args) => {
  const fields = readFields(args.form.values, args.adminContext);
  const { html, tableOfContents: headings } = await renderBody(args.app, fields.body, fields.language);
  const publication = await describePublication(args, fields, {
    html,
    headings,
    creator: await creatorOf(args),
    postId: new URL(args.request.url).searchParams.get('post'),
  });
  const inWords = messagesFor(args);
  const checks = publication.checks.map(({ name, message }) => ({ name, message: inWords(message) }));
  return apiData({
    ...publication,
    checks,
    categories: await readCategoryChoices(args.app),
  } satisfies CheckedForm);
});

/** The display name of the post's creator; for a new post, of the user. */
async function creatorOf({ app, request, user }: ActionArguments): Promise<string> {
  const id = new URL(request.url).searchParams.get('post');
  const author = { select: { displayName: true } };
  const post = id
    ? await app.db.post.findFirst({ where: { id, ...postsVisibleTo(user) }, select: { author } })
    : null;
  return post?.author?.displayName ?? user.displayName;
}

/** Reads the form with invalid fields as empty ones, since the save reports them. */
export function readFields(
  values: Readonly<Record<string, string>>,
  { timeZone }: Pick<AdminContext, 'timeZone'>,
): PostFields {
  const schema = postFieldsSchema(timeZone);
  const parsed = schema.safeParse(values);
  if (parsed.success) return { ...emptyPostFields, ...parsed.data };
  const wrong = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
  const validEntries = Object.entries(values).filter(([name]) => !wrong.has(name));
  return { ...emptyPostFields, ...schema.parse(Object.fromEntries(validEntries)) };
}
