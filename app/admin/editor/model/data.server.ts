import type { Db } from '#app/platform/services.ts';
import { isDate } from '#app/admin/calendar/month-grid.ts';
import type { Ledger } from '#app/admin/effects/effects.server.ts';
import type { Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { countActive } from '#app/newsletter/issues.server.ts';
import { postsKnownTo, postsVisibleTo, mayActOnPost, type OwnedPost, type Actor } from '#app/people/roles.ts';
import { newId } from '#app/platform/clock.ts';
import type { Prisma } from '#app/platform/database/client.server.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import { say, type Message } from '#app/platform/message.ts';
import { type PostFields, emptyPostFields, formValues } from '#app/posts/fields/fields.ts';
import { notTrashed, type PostStatus } from '#app/posts/fields/states.ts';
import type { AutosaveSummary } from '#app/posts/history/revisions.server.ts';
import { PAGES_LIST } from '#app/posts/lists/scope.ts';
import { listVisibleTags } from '#app/posts/terms/queries.server.ts';
import { readChangedFields, textVersionOf } from '#app/releases/post-change.server.ts';
import { listOpenReleases, listReleasesOf, type ReleaseChoice } from '#app/releases/queries.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { textStylesheetPath } from '#app/site/appearance/stylesheet.server.ts';
import { mediaThumbnail, thumbnailColumns, type Thumbnail } from './thumbnails.ts';
import { readViewSettings, type ViewSettings } from './view-settings.ts';

interface EditorReleases {
  /** Releases to which the post can be saved; empty without the right to publish. */
  open: ReleaseChoice[];
  /** Releases that contain the post, with their action on it. */
  of: { release: ReleaseChoice; action: string }[];
}

/**
 * The releases to which a post can be saved, and the release that `?release=` in the address names. The editor shows
 * the post as it will be with that release, and saves to it.
 * @param post null for a post that does not exist yet
 * @param restored the text that is shown instead of the present one. Its release comes before the one in the address.
 * @returns `chosenId`: the named release, or blank; `change`: the fields that this release changes; `textVersion`: that
 *   of the text with them, for the form of a published post
 */
export async function readOpenReleases(
  { app, user, request }: Pick<ScreenArguments, 'app' | 'user' | 'request'>,
  post: (NonNullable<OwnedPost> & { id: string }) | null,
  restored: { releaseId: string | null; unsavedAt: Date | null; textVersion: string | null } | null = null,
): Promise<{
  shown: EditorReleases;
  chosenId: string;
  change: Partial<PostFields>;
  textVersion?: string;
  notice: Message | null;
}> {
  const none = { shown: { open: [], of: [] }, chosenId: '', change: {}, notice: null };
  if (!mayActOnPost(user, post, 'publish')) return none;
  const [open, of] = await Promise.all([
    listOpenReleases(app),
    post ? listReleasesOf(app, 'post', post.id) : [],
  ]);
  const shown = { open, of: of.map(({ release, action }) => ({ release, action })) };
  const requested = new URL(request.url).searchParams.get('release');
  const chosen = open.find(({ id }) => id === (restored?.releaseId ?? requested));
  const isLive = post?.status === 'published';
  // Unsaved changes keep the text version that their form showed at first.
  const startedFrom = restored?.unsavedAt ? restored.textVersion : null;
  if (!chosen)
    return { ...none, shown, textVersion: isLive ? (startedFrom ?? textVersionOf(null, of)) : undefined };
  const item = of.find(({ releaseId }) => releaseId === chosen.id);
  const change = (item?.action === 'update' && (await readChangedFields(app.db, item))) || {};
  const notice = say(
    'This is the post as it will be with the release “{name}”. Saving changes the release, not what readers see.',
    { name: chosen.name },
  );
  const text = item ?? { releaseId: chosen.id, action: 'update', fields: '{}' };
  // Unsaved changes that an older version of the server stored have no text version. If the release's text was stored
  // after them, they are based on an earlier one.
  const isLater = item && restored?.unsavedAt && item.updatedAt > restored.unsavedAt;
  const textVersion = startedFrom ?? textVersionOf(isLater ? { ...text, action: 'earlier' } : text);
  const ofLive = isLive ? { textVersion, notice } : { notice: null };
  return { shown, chosenId: chosen.id, change, ...ofLive };
}

/** The redirect after a save to a release: the page shows the post as it will be with that release. */
export function withReleaseShown(done: Done, releaseId: string): Done {
  return { ...done, location: `${done.location}?release=${encodeURIComponent(releaseId)}` };
}

const TAGS_OFFERED = 1_000;
const IMAGES_OFFERED = 24;
const PAGES_OFFERED = 500;
const ACCOUNTS_OFFERED = 30;
const TEMPLATES_OFFERED = 20;

/** The `autosavedAt` of a form that includes no unsaved changes from earlier visits. */
export const noneIncluded = new Date(0);

export interface EditorPost {
  id: string;
  slug: string;
  version: number;
  status: PostStatus;
  author: string | null;
  updatedAt: Date;
  createdAt: Date;
  /** This editor's unsaved changes from earlier visits, without those that the form contains. */
  unsaved: (Pick<AutosaveSummary, 'id' | 'releaseId' | 'releaseName' | 'isReleaseDeleted'> & {
    at: Date;
    /** False: they are for another release than the one that the page shows, or not for a release. */
    isOfThisPage: boolean;
  })[];
  /** The scheduled update. An unreadable one is never applied. */
  change: {
    at: Date;
    savedAt: Date;
    /** The labels of the fields that it changes; null: it is unreadable. */
    fields: string[] | null;
    /** Its fields as those of the form, for a script: the page may have lost the answer to the button that scheduled it. */
    values?: Record<string, string>;
  } | null;
}

export interface EditorChoices {
  categories: { id: string; name: string }[];
  tags: string[];
  images: Thumbnail[];
  /** Pages that can be a parent, each followed by its children. */
  pages: { id: string; title: string; slug: string }[];
  accounts: { username: string }[];
  languages: string[];
  templates: { id: string; title: string }[];
  /** How many people the newsletter has; null: there is none. */
  subscribers: number | null;
}

/** Everything that the editor shows. Texts such as "in 3 days" count from `now`. */
export interface EditorData {
  /** Null for a post that does not exist yet. */
  post: EditorPost | null;
  /** The id of the post, also of a new one: a form that is sent twice then makes one post. */
  postId: string;
  values: Record<string, string>;
  choices: EditorChoices;
  now: Date;
  may: ReturnType<typeof mayDo>;
  notice: Message | null;
  releases: EditorReleases;
  view: ViewSettings;
  /** Path of the stylesheet that makes the text look as on the site. */
  textStyles: string;
  /** Absent: the post does not exist yet. */
  ledger?: Ledger;
  /** The names of the others who have the post open. Absent: the post does not exist yet. */
  present?: string[];
}

export async function newPostData(args: ScreenArguments): Promise<EditorData> {
  const { app, adminContext, user, request } = args;
  // A day of the calendar, on which somebody wants to publish.
  const day = new URL(request.url).searchParams.get('on') ?? '';
  return {
    post: null,
    postId: newId(app.clock),
    values: {
      ...formValues(emptyPostFields, adminContext.timeZone),
      ...(isDate(day) && { publishedAt: `${day}T09:00` }),
      autosavedAt: noneIncluded.toISOString(),
    },
    choices: { ...(await readChoices(app, user)), templates: await readTemplates(app, user) },
    now: app.clock.now(),
    may: mayDo(user, null),
    notice: null,
    releases: (await readOpenReleases({ app, user, request }, null)).shown,
    view: readViewSettings(request.headers.get('Cookie')),
    textStyles: await readTextStyles(app),
  };
}

export async function readTextStyles(app: Db): Promise<string> {
  return textStylesheetPath(await readShared(app, 'settings', readSettings));
}

async function readTemplates(app: Db, user: Actor): Promise<EditorChoices['templates']> {
  return app.db.post.findMany({
    where: { template: 'yes', ...notTrashed, ...postsVisibleTo(user) },
    select: { id: true, title: true },
    orderBy: [{ title: 'asc' }, { id: 'asc' }],
    take: TEMPLATES_OFFERED,
  });
}

/** @param present the present cover and parent, which are among the choices in any case */
export async function readChoices(
  app: Db,
  user: Actor,
  { coverMediaId, parentId }: Pick<PostFields, 'coverMediaId' | 'parentId'> = emptyPostFields,
): Promise<EditorChoices> {
  const images = { mimeType: { startsWith: 'image/' }, trashedAt: null } satisfies Prisma.MediaWhereInput;
  const [categories, tags, newest, cover, pages, parent, accounts, settings] = await Promise.all([
    readCategoryChoices(app),
    listVisibleTags(app, user, TAGS_OFFERED),
    app.db.media.findMany({
      where: images,
      select: thumbnailColumns,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: IMAGES_OFFERED,
    }),
    coverMediaId ? app.db.media.findUnique({ where: { id: coverMediaId }, select: thumbnailColumns }) : null,
    app.db.post.findMany({
      where: { listedIn: PAGES_LIST, ...postsKnownTo(user) },
      select: { id: true, title: true, slug: true },
      take: PAGES_OFFERED,
    }),
    parentId ? app.db.post.findUnique({ where: { id: parentId }, select: { id: true, slug: true } }) : null,
    app.db.user.findMany({
      where: { disabledAt: null },
      select: { username: true },
      orderBy: { username: 'asc' },
      take: ACCOUNTS_OFFERED,
    }),
    readSettings(app),
  ]);
  // The address of the page contains that of its parent, but not the title.
  if (parent && !pages.some(({ id }) => id === parent.id)) pages.push({ ...parent, title: parent.slug });
  const offered = cover ? [cover, ...newest.filter(({ id }) => id !== cover.id)] : newest;
  return {
    categories,
    tags: tags.map(({ name }) => name),
    images: offered.map(mediaThumbnail),
    pages: pages
      .filter(({ slug }) => slug.split('/').length <= 3)
      .sort((a, b) => a.slug.localeCompare(b.slug)),
    accounts,
    languages: [settings.site_language, ...settings.site_languages],
    templates: [],
    subscribers: settings.newsletter_enabled ? await countActive(app) : null,
  };
}

export async function readCategoryChoices(app: Db): Promise<EditorChoices['categories']> {
  const categories = await app.db.category.findMany({ select: { id: true, name: true } });
  return categories.sort((a, b) => a.name.localeCompare(b.name));
}

/** What the user may do with the post; null: with a new one. */
export function mayDo(user: Actor, post: OwnedPost) {
  return {
    save: mayActOnPost(user, post, 'save'),
    publish: mayActOnPost(user, post, 'publish'),
    delete: post !== null && mayActOnPost(user, post, 'delete'),
  };
}
