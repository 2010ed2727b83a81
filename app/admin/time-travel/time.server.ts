import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { wantsJson } from '#app/admin/frame/json-answers.server.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import type { App } from '#app/app.ts';
import { forecastOf } from '#app/effects/forecast.server.ts';
import { fieldError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { messageOfIssue } from '#app/platform/message.ts';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import { localTime } from '#app/posts/fields/schemas.ts';
import { listScheduledReleases } from '#app/releases/status.server.ts';
import {
  createSitePreview,
  findSitePreview,
  listSitePreviews,
  mayRevokeSitePreview,
  revokeSitePreview,
} from '#app/time-travel/site-previews.server.ts';
import { compareWithNow } from './compare-sites.server.ts';

/** Posts of which the screen says what goes out. */
const POSTS_MAX = 2_000;

/** The choice of a time, the shared links and, with `?at=`, the differences at that time. */
export async function load({ app, request, adminContext, user }: ScreenArguments) {
  const { timeZone, language } = adminContext;
  const { searchParams } = new URL(request.url);
  const requested = searchParams.get('at') ?? '';
  const shared = await sharedLink(app, searchParams.get('shared') ?? '');
  const read = localTime(timeZone).safeParse(requested);
  const instant = read.success ? read.data : null;
  const chosen = instant ?? shared?.instant;
  const releases = await listScheduledReleases(app);
  const differences =
    instant &&
    (await app.scratchSites.use(app, instant, async (site) =>
      compareWithNow(app, await site.open(), { instant, user, timeZone, language }),
    ));
  return {
    at: chosen ? toLocalTime(chosen, timeZone) : '',
    instant,
    shared,
    problem: read.success ? null : messageOfIssue(read.error.issues[0]!),
    now: app.clock.now(),
    releases: releases.map((release) => ({
      ...release,
      local: toLocalTime(release.publishAt, timeZone),
      isLeftOut: release.problem !== '' && instant !== null && release.publishAt <= instant,
    })),
    links: (await listSitePreviews(app)).map((link) => ({
      ...link,
      isRevocable: link.state === 'active' && mayRevokeSitePreview(user, link),
    })),
    revoked: searchParams.has('revoked'),
    preparations: await app.scratchSites.preparations(app),
    forecast:
      instant &&
      (await forecastOf(app, await idsUntil(app, instant, releases), eventsUntil(instant, releases))),
    differences,
  };
}

type Scheduled = Awaited<ReturnType<typeof listScheduledReleases>>;

const isIn = (instant: Date) => (release: Scheduled[number]) =>
  release.problem === '' && release.publishAt <= instant;

const eventsUntil = (instant: Date, releases: Scheduled) =>
  releases.some(isIn(instant)) ? (['release.published'] as const) : [];

/** The posts that become public until then, alone or with a release. */
async function idsUntil(app: App, instant: Date, releases: Scheduled): Promise<string[]> {
  const [posts, items] = await Promise.all([
    app.db.post.findMany({
      where: { status: 'scheduled', publishedAt: { lte: instant } },
      select: { id: true },
      orderBy: { publishedAt: 'asc' },
      take: POSTS_MAX,
    }),
    app.db.releaseItem.findMany({
      where: {
        ...{ kind: 'post', action: 'publish' },
        releaseId: { in: releases.filter(isIn(instant)).map(({ id }) => id) },
      },
      select: { subjectId: true },
      take: POSTS_MAX,
    }),
  ]);
  return [...posts.map(({ id }) => id), ...items.map(({ subjectId }) => subjectId)];
}

/** The link that was just shared, by its path; null where it is not or no longer valid. */
async function sharedLink(app: App, path: string) {
  const token = /^\/preview\/site\/([\w-]{1,200})\/$/.exec(path)?.[1];
  const link = token === undefined ? null : await findSitePreview(app, token);
  return link && { ...link, address: addressOf(app, path) };
}

const addressOf = (app: App, path: string) => new URL(path, app.env.siteUrl).href;

const unknown = 'This action is unknown. Use one of the buttons.';

/** Opens the site at an instant, compares it with now, shares a link to it, or ends one. */
export async function act(args: ActionArguments): Promise<Done | Response> {
  const { app, form, user, adminContext, request } = args;
  const schema = z.object({
    at: localTime(adminContext.timeZone).optional(),
    intent: z.enum(['open', 'compare', 'share', 'revoke'], unknown).default('open'),
    token: z.string().trim().max(200).optional(),
  });
  const { at, intent, token } = parseForm(schema, form.values);
  const timeUrl = adminUrl(adminContext.adminPath, 'time');
  if (intent === 'revoke') {
    if (!token) throw fieldError('token', 'Choose a link to revoke.');
    await revokeSitePreview(app, user, token);
    return { location: `${timeUrl}?revoked` };
  }
  if (!at) throw fieldError('at', 'Enter a date and time.');
  // A form that is sent as GET would put the account of its page into the address.
  if (intent === 'compare')
    return { location: `${timeUrl}?${new URLSearchParams({ at: toLocalTime(at, adminContext.timeZone) })}` };
  const isShared = intent === 'share';
  const {
    id,
    token: newToken,
    path,
    expiresAt,
  } = await createSitePreview(app, { instant: at, isShared, createdById: user.id });
  if (!isShared) return { location: path, id };
  if (!wantsJson(request)) return { location: `${timeUrl}?shared=${path}`, id };
  const address = addressOf(app, path);
  const created = { token: newToken, address, expiresAt };
  return Response.json({ id, version: null, status: 'shared', location: path, ...created });
}
