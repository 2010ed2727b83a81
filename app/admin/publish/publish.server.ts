import type { EditorResult } from '#app/admin/editor/conflict/result.ts';
import { readChoices } from '#app/admin/editor/model/data.server.ts';
import { findPostFor } from '#app/admin/editor/model/post.server.ts';
import { occurrenceOf } from '#app/admin/editor/model/form.server.ts';
import { act as actOnPost } from '#app/admin/editor/page/edit.server.ts';
import { describePublication } from '#app/admin/editor/preview/check.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  type ActionArguments,
  type ActionResult,
  type Done,
  type ScreenArguments,
  SubmittedForm,
} from '#app/admin/frame/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { formValues } from '#app/posts/fields/fields.ts';
import { findAutosave } from '#app/posts/history/revisions.server.ts';
import type { Heading } from '#app/posts/markdown/decorate.ts';
import { readAuthor } from '#app/posts/lists/shared-names.server.ts';
import { publicImage } from '#app/posts/pictures/public-image.ts';

/** The page that publishes a post: time, address, how the post will look, what to check. Works without scripts. */
export async function load(args: ScreenArguments) {
  const { app, params, user, request, adminContext } = args;
  const row = await findPostFor(app, user, params.id, 'publish');
  const fields = await readPostFields(app.db, row);
  const cover = fields.coverMediaId
    ? await app.db.media.findUnique({ where: { id: fields.coverMediaId } })
    : null;
  const headings = JSON.parse(row.tableOfContents) as Heading[];
  const creator = (await readAuthor(app, row.authorId))?.displayName ?? '';
  const [choices, publication, unsaved] = await Promise.all([
    readChoices(app, user, fields),
    describePublication(args, fields, { html: row.bodyHtml, headings, creator, postId: row.id }),
    findAutosave(app, { postId: row.id, editorId: user.id }),
  ]);
  return {
    post: {
      id: row.id,
      title: row.title,
      version: row.version,
      status: row.status,
      publishedAt: row.publishedAt,
    },
    done: new URL(request.url).searchParams.has('done'),
    hasUnsaved: unsaved !== null,
    values: {
      ...formValues(fields, adminContext.timeZone),
      publishedAtOccurrence: occurrenceOf(fields.publishedAt, adminContext.timeZone),
    },
    categories: choices.categories,
    tags: choices.tags,
    publication,
    sharePreview: {
      address: publication.address,
      title: fields.seoTitle || fields.title,
      description: publication.description,
      cover: cover && publicImage(cover, fields.coverAlt),
      card: publication.card,
    },
  };
}

/** Publishes or schedules by the rules of the editor. Each suggested time is a button. */
export async function act(args: ActionArguments): Promise<ActionResult<EditorResult> | Done | Response> {
  const { app, params, form, adminContext } = args;
  const { suggested } = form.values;
  const chosen: [string, string][] = suggested
    ? [
        ['publishedAt', suggested],
        ['intent', 'schedule'],
      ]
    : [];
  const newCategory = readNewCategory(args);
  // A form that is sent twice asks the second time for what the first one has saved.
  const existing = newCategory
    ? await app.db.category.findFirst({ where: { name: newCategory }, select: { id: true } })
    : null;
  if (existing) chosen.push(['categoryId', existing.id]);
  const outcome = await actOnPost({
    ...args,
    form: new SubmittedForm([...form.entries, ...chosen]),
    newCategory: existing ? undefined : newCategory,
  });
  if (outcome instanceof Response) return outcome;
  if ('location' in outcome) {
    const isPublishedOrScheduled = outcome.status === 'published' || outcome.status === 'scheduled';
    const page = adminUrl(adminContext.adminPath, 'posts', params.id!, 'publish');
    return isPublishedOrScheduled ? { ...outcome, location: `${page}?done` } : outcome;
  }
  // The user must choose between two texts, which the editor's page shows.
  return outcome.status === 409 ? { screen: `posts/${params.id}`, ...outcome } : outcome;
}

/** The name of the category that the post gets instead of one from the list. @throws AppError `forbidden`. */
function readNewCategory({ form, adminContext }: ActionArguments): string | undefined {
  const name = form.values.newCategory?.trim();
  if (!name) return undefined;
  if (!adminContext.screens.includes('categories'))
    throw new AppError('forbidden', 'You can’t create categories.');
  return name;
}
