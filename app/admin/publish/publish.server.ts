import { adminUrl } from '#app/admin/admin-url.ts';
import { act as actOnPost } from '#app/admin/editor/edit.server.ts';
import { readChoices } from '#app/admin/editor/editor-data.server.ts';
import type { EditorResult } from '#app/admin/editor/editor-result.ts';
import { findPostFor } from '#app/admin/editor/find-post.server.ts';
import type { ActionArguments, ActionResult, Done, ScreenArguments } from '#app/admin/screen.ts';
import { SubmittedForm } from '#app/admin/submitted-form.ts';
import { findDeadLinks, linksOf } from '#app/content/check-links.server.ts';
import { shiftInstant, startOfDay, toLocalTime } from '#app/platform/time-zone.ts';
import { excerptOf } from '#app/posts/excerpt.ts';
import { formValues } from '#app/posts/fields.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { checkText, type PublishCheck } from '#app/posts/publish-checks.ts';
import { publicImage } from '#app/posts/public-image.ts';
import type { Heading } from '#app/posts/public-post.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import { findAutosave } from '#app/posts/revisions.server.ts';

const NINE_O_CLOCK_MINUTES = 9 * 60;

/** The last look before a post goes out: when and where, how it will look, what to check. Needs no script. */
export async function load({ app, params, user, request, adminContext }: ScreenArguments) {
  const row = await findPostFor(app, user, params.id, 'publish');
  const fields = await readPostFields(app.db, row);
  const path = encodePath(postPath(row.slug));
  const cover = fields.coverMediaId
    ? await app.db.media.findUnique({ where: { id: fields.coverMediaId } })
    : null;
  const headings = JSON.parse(row.tableOfContents) as Heading[];
  const [choices, dead, unsaved] = await Promise.all([
    readChoices(app, fields.coverMediaId),
    findDeadLinks(app, path, linksOf(row.bodyHtml)),
    findAutosave(app, { postId: row.id, editorId: user.id }),
  ]);
  const checks: PublishCheck[] = [
    ...checkText({ ...fields, html: row.bodyHtml, headings }),
    ...dead.map((link) => ({
      name: 'links' as const,
      message: `${link} leads to nothing that readers see.`,
    })),
  ];
  const now = app.clock.now();
  return {
    post: {
      id: row.id,
      title: row.title,
      version: row.version,
      status: row.status,
      publishedAt: row.publishedAt,
      address: app.env.siteUrl + path,
    },
    done: new URL(request.url).searchParams.has('done'),
    hasUnsaved: unsaved !== null,
    values: formValues(fields, adminContext.timeZone),
    categories: choices.categories,
    tags: choices.tags,
    checks,
    look: {
      title: fields.seoTitle || fields.title,
      description: fields.seoDescription || fields.excerpt || excerptOf(row.bodyHtml),
      cover: cover && publicImage(cover, fields.coverAlt),
    },
    now: toLocalTime(now, adminContext.timeZone),
    suggestions: suggestedTimes(now, adminContext.timeZone),
  };
}

/** Nine o'clock tomorrow, on the next Monday, and in a week, as forms send times. */
function suggestedTimes(now: Date, timeZone: string): { label: string; value: string }[] {
  const today = startOfDay(toLocalTime(now, timeZone).slice(0, 10), timeZone)!;
  const weekday = new Date(`${toLocalTime(now, timeZone).slice(0, 10)}T00:00Z`).getUTCDay();
  const monday = (8 - weekday) % 7 || 7;
  const days = [
    { label: 'Tomorrow 09:00', days: 1 },
    { label: 'Monday 09:00', days: monday },
    { label: 'In a week, 09:00', days: 7 },
  ];
  const seen = new Set<string>();
  return days.flatMap(({ label, days: later }) => {
    const time = shiftInstant(
      shiftInstant(today, { days: later }, timeZone),
      { minutes: NINE_O_CLOCK_MINUTES },
      timeZone,
    );
    const value = `${toLocalTime(time, timeZone).slice(0, 10)}T09:00`;
    if (seen.has(value)) return [];
    seen.add(value);
    return [{ label, value }];
  });
}

/** Publishes or schedules by the editor's own rules; a suggested time is a button. */
export async function act(args: ActionArguments): Promise<ActionResult<EditorResult> | Done | Response> {
  const { params, form, adminContext } = args;
  const { suggested } = form.values;
  const chosen: [string, string][] = suggested
    ? [
        ['publishedAt', suggested],
        ['intent', 'schedule'],
      ]
    : [];
  const outcome = await actOnPost({ ...args, form: new SubmittedForm([...form.entries, ...chosen]) });
  if (outcome instanceof Response) return outcome;
  if ('location' in outcome) {
    const goesOut = outcome.status === 'published' || outcome.status === 'scheduled';
    const here = adminUrl(adminContext.adminPath, 'posts', params.id!, 'publish');
    return goesOut ? { ...outcome, location: `${here}?done` } : outcome;
  }
  // Two texts to choose from: that is the editor's page.
  return outcome.status === 409 ? { screen: `posts/${params.id}`, ...outcome } : outcome;
}
