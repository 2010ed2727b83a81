// Writes rows directly, without the product's rules. Values that a test does not set are sensible and unique.
import type { App } from '#app/app.ts';
import { newId } from '#app/platform/clock.ts';
import type { Prisma } from '#app/platform/database/client.server.ts';

type DatabaseAndClock = Pick<App, 'db' | 'clock'>;

let counter = 0;

export async function createUser(
  app: DatabaseAndClock,
  overrides: Partial<Prisma.UserUncheckedCreateInput> = {},
) {
  const number = next();
  const now = app.clock.now();
  return app.db.user.create({
    data: {
      id: newId(app.clock),
      email: `user-${number}@example.org`,
      username: `user-${number}`,
      displayName: `User ${number}`,
      createdAt: now,
      updatedAt: now,
      ...overrides,
    },
  });
}

export async function createCategory(
  app: DatabaseAndClock,
  overrides: Partial<Prisma.CategoryUncheckedCreateInput> = {},
) {
  const number = next();
  const now = app.clock.now();
  return app.db.category.create({
    data: {
      id: newId(app.clock),
      slug: `category-${number}`,
      name: `Category ${number}`,
      createdAt: now,
      updatedAt: now,
      ...overrides,
    },
  });
}

export async function createTag(
  app: DatabaseAndClock,
  overrides: Partial<Prisma.TagUncheckedCreateInput> = {},
) {
  const number = next();
  const now = app.clock.now();
  return app.db.tag.create({
    data: {
      id: newId(app.clock),
      slug: `tag-${number}`,
      name: `Tag ${number}`,
      createdAt: now,
      updatedAt: now,
      ...overrides,
    },
  });
}

export async function createMedia(
  app: DatabaseAndClock,
  overrides: Partial<Prisma.MediaUncheckedCreateInput> = {},
) {
  const number = next();
  const now = app.clock.now();
  return app.db.media.create({
    data: {
      id: newId(app.clock),
      path: `2026/11/picture-${number}.webp`,
      originalName: `picture-${number}.webp`,
      mimeType: 'image/webp',
      bytes: 1_024,
      sha256: number.toString(16).padStart(64, '0'),
      createdAt: now,
      updatedAt: now,
      ...overrides,
    },
  });
}

type PostOverrides = Partial<Omit<Prisma.PostUncheckedCreateInput, 'tags' | 'authorPosts'>> & {
  /** Ids of tags, in the post's order. */
  tagIds?: string[];
};

/**
 * A draft unless `status` says otherwise. A published one is an hour old by the app's clock, a scheduled
 * one an hour ahead; give `publishedAt` for any other time.
 */
export async function createPost(app: DatabaseAndClock, overrides: PostOverrides = {}) {
  const { tagIds = [], ...fields } = overrides;
  const number = next();
  const now = app.clock.now();
  const body = fields.body ?? `Body of post ${number}.`;
  const publishedAt = fields.publishedAt ?? usualTime(fields.status, now);
  const isListed = fields.status === 'published' && fields.authorId && publishedAt;
  return app.db.post.create({
    data: {
      ...(isListed && {
        authorPosts: { create: { userId: fields.authorId!, listedIn: fields.listedIn ?? '', publishedAt } },
      }),
      id: newId(app.clock),
      slug: `post-${number}`,
      title: `Post ${number}`,
      bodyHtml: `<p>${body}</p>`,
      wordCount: body.split(/\s+/).length,
      publishedAt,
      contentUpdatedAt: now,
      createdAt: now,
      updatedAt: now,
      tags: { create: tagIds.map((tagId, position) => ({ tagId, position })) },
      ...fields,
      body,
    },
  });
}

/** Many posts at once, alike but for their number; ids in the order of creation. */
export async function createPosts(app: DatabaseAndClock, count: number, overrides: PostOverrides = {}) {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await createPost(app, overrides)).id);
  return ids;
}

function usualTime(status: string | undefined, now: Date): Date | null {
  const hour = 3_600_000;
  if (status === 'published' || status === 'archived') return new Date(now.getTime() - hour);
  if (status === 'scheduled') return new Date(now.getTime() + hour);
  return null;
}

function next(): number {
  counter += 1;
  return counter;
}
