import sharp from 'sharp';
import * as z from 'zod';
import { storeMedia, type MediaApp } from '#app/media/library/store-media.server.ts';
import type { By } from '#app/people/audit/audit.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { parseJson } from '#app/platform/json.ts';
import type { Configured, Db } from '#app/platform/services.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { termSchema } from '#app/posts/terms/form.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { trashMedia } from '#app/publishing/media/trash.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTerm } from '#app/publishing/terms/save.server.ts';
import { trashTerm } from '#app/publishing/terms/trash.server.ts';
import { purgeTrashed } from '#app/publishing/trash/purge.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { drawings } from './drawings.ts';
import { demoPosts } from './posts.ts';

type DemoApp = PublishingContext & MediaApp & Configured;

/**
 * The value of the setting `demo_content`: what was created, and the posts' versions then. The publication of a scheduled
 * one is no change by somebody.
 */
const contentSchema = z.object({
  posts: z.array(z.object({ id: z.string(), version: z.number(), isScheduled: z.boolean().optional() })),
  media: z.array(z.string()),
  categories: z.array(z.string()),
});

type DemoContent = z.output<typeof contentSchema>;

/** Whether the site has what `removeDemoPosts` removes: demo posts, or only the samples of quickstart. */
export async function readDemoState(app: Db): Promise<'absent' | 'samples' | 'shown'> {
  const stored = await readSetting(app, 'demo_content');
  if (stored === '') return 'absent';
  return contentIn(stored).media.length > 0 ? 'shown' : 'samples';
}

/** True while nobody has written a post: there are demo posts or samples, and no others. */
export async function hasOnlyDemoPosts(app: Db): Promise<boolean> {
  const { posts } = await readContent(app);
  if (posts.length === 0) return false;
  const ids = posts.map(({ id }) => id);
  return (await app.db.post.findFirst({ where: { id: { notIn: ids } }, select: { id: true } })) === null;
}

/** Makes posts that the product has written removable, as the demo posts are. */
export function registerDemoPosts(
  app: PublishingContext,
  posts: DemoContent['posts'],
  by: By,
): Promise<unknown> {
  const content: DemoContent = { posts, media: [], categories: [] };
  return changeSettings(app, { demo_content: JSON.stringify(content) }, by);
}

async function readContent(app: Db): Promise<DemoContent> {
  return contentIn(await readSetting(app, 'demo_content'));
}

function contentIn(stored: string): DemoContent {
  return contentSchema.safeParse(parseJson(stored)).data ?? { posts: [], media: [], categories: [] };
}

/** Publishes a small magazine with drawn pictures, its posts four days apart and the first one now. Does nothing twice. */
export async function createDemoPosts(app: DemoApp, by: By): Promise<void> {
  if ((await readDemoState(app)) === 'shown') return;
  const content = await readContent(app);
  try {
    await create(app, by, content);
  } finally {
    await changeSettings(app, { demo_content: JSON.stringify(content) }, by);
  }
}

async function create(app: DemoApp, { userId: editorId }: By, content: DemoContent): Promise<void> {
  const pictures = new Map<string, { id: string; address: string }>();
  for (const { name, alt, svg } of drawings) {
    const bytes = await sharp(Buffer.from(svg)).webp({ quality: 88 }).toBuffer();
    const upload = { bytes, originalName: `${name}.webp`, alt, uploadedById: editorId };
    const { id, path } = await storeMedia(app, upload);
    content.media.push(id);
    pictures.set(name, { id, address: `/uploads/${path}` });
  }
  const categories = new Map<string, string>();
  for (const name of new Set(demoPosts.map(({ category }) => category))) {
    const existing = await app.db.category.findFirst({ where: { name }, select: { id: true } });
    const { id } = existing ?? (await createTerm(app, 'category', parseForm(termSchema, { name })));
    if (!existing) content.categories.push(id);
    categories.set(name, id);
  }
  const now = app.clock.now().getTime();
  for (const [index, { cover = '', category, body, ...post }] of demoPosts.entries()) {
    const fields = {
      ...post,
      categoryId: categories.get(category),
      coverMediaId: pictures.get(cover)?.id ?? null,
      body: body.replace(/\{picture:(\w+)\}/g, (_, name: string) => pictures.get(name)!.address),
      publishedAt: new Date(now - index * 4 * DAY_MS),
    };
    const { id, version } = await createPost(app, { intent: 'publish', fields, editorId });
    content.posts.push({ id, version });
  }
}

/**
 * Deletes the demo posts for good, with their pictures, categories and tags. What somebody has changed or uses elsewhere
 * stays.
 */
export async function removeDemoPosts(app: DemoApp, by: By): Promise<void> {
  const { posts, media, categories } = await readContent(app);
  const { userId: editorId, address } = by;
  for (const { id: postId, ...created } of posts)
    await unlessRefused(async () => {
      const version = await unchangedVersion(app, postId, created);
      await trashPost(app, { postId, version, editorId, address });
      await purgeTrashed(app, by, { kind: 'post', id: postId });
    });
  for (const id of media)
    await unlessRefused(async () => {
      await trashMedia(app, by, id);
      await purgeTrashed(app, by, { kind: 'media', id });
    });
  const unused = { id: { in: categories }, posts: { none: {} } };
  const tags = { name: { in: demoPosts.flatMap((post) => post.tags) }, posts: { none: {} } };
  const terms = [
    ...(await app.db.category.findMany({ where: unused })).map(
      ({ id }) => ({ kind: 'category', id }) as const,
    ),
    ...(await app.db.tag.findMany({ where: tags })).map(({ id }) => ({ kind: 'tag', id }) as const),
  ];
  for (const term of terms)
    await unlessRefused(async () => {
      await trashTerm(app, by, term);
      await purgeTrashed(app, by, term);
    });
  await changeSettings(app, { demo_content: '' }, by);
}

/** The version that a post has if nobody has changed it. */
async function unchangedVersion(
  { db }: Db,
  id: string,
  { version, isScheduled }: Omit<DemoContent['posts'][number], 'id'>,
): Promise<number> {
  if (!isScheduled) return version;
  const post = await db.post.findUnique({ where: { id }, select: { status: true } });
  return post?.status === 'published' ? version + 1 : version;
}

/** A refusal, such as of a post that somebody has changed, leaves that one thing. */
async function unlessRefused(remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!isAppError(error)) throw error;
  }
}
