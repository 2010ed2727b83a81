import { storeMedia } from '#app/media/library/store-media.server.ts';
import type { App } from '#app/app.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { newId } from '#app/platform/clock.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { picture } from '#tests/support/images.ts';

const RELEASES = 12;
const ITEMS_A_RELEASE = 20;
const PICTURES_MAX = 60;
const AT_ONCE = 500;
/** One of so many posts has another state, a cover, an old address. */
const [EVERY_DRAFT, EVERY_ARCHIVED, EVERY_SCHEDULED, EVERY_COVER, EVERY_REDIRECT] = [20, 50, 50, 3, 10];

/** What a blog of many years has besides its published posts. */
export interface Variety {
  drafts: number;
  archived: number;
  scheduled: number;
  pictures: number;
  redirects: number;
  releases: number;
}

/** Adds posts in the other states, covers, old addresses and releases to the published posts of a prefix. */
export async function addVariety(app: App, slugs: readonly string[], prefix: string): Promise<Variety> {
  const now = app.clock.now();
  const { authorId, categoryId } = await app.db.post.findFirstOrThrow({ where: { slug: slugs[0]! } });
  const hidden = async (status: string, every: number, timeOf: (share: number) => Date | null) => {
    const count = Math.ceil(slugs.length / every);
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ id: newId(app.clock), slug: `${prefix}${status}-${index}`, title: `Post ${index}, ${status}` },
      ...{ body: 'A text that waits.', bodyHtml: '<p>A text that waits.</p>\n', wordCount: 4 },
      ...{ status, authorId, categoryId, publishedAt: timeOf((index + 1) / count) },
      ...{ hasBeenPublic: status === 'archived', contentUpdatedAt: now, createdAt: now, updatedAt: now },
    }));
    await inBatches(rows, (data) => app.db.post.createMany({ data }));
    return count;
  };
  const drafts = await hidden('draft', EVERY_DRAFT, () => null);
  const archived = await hidden('archived', EVERY_ARCHIVED, (share) => yearsAgo(now, share * 10));
  const scheduled = await hidden('scheduled', EVERY_SCHEDULED, (share) => yearsAgo(now, -share));
  const pictures = await addCovers(app, slugs, now);
  const posts = await app.db.post.findMany({
    where: { slug: { startsWith: `${prefix}post-` } },
    select: { id: true, slug: true },
    orderBy: { id: 'asc' },
  });
  const moved = posts.filter((_, index) => index % EVERY_REDIRECT === 0);
  await inBatches(moved, (some) =>
    app.db.redirect.createMany({
      data: some.map(({ id, slug }) => ({ path: `/posts/old-${slug}`, postId: id, createdAt: now })),
    }),
  );
  const releases = await addReleases(app, posts, prefix);
  return { drafts, archived, scheduled, pictures, redirects: moved.length, releases };
}

const yearsAgo = (now: Date, years: number) => new Date(now.getTime() - years * 365 * DAY_MS);

async function inBatches<T>(rows: readonly T[], write: (some: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) await write(rows.slice(from, from + AT_ONCE));
}

async function addCovers(app: App, slugs: readonly string[], now: Date): Promise<number> {
  const count = Math.min(PICTURES_MAX, Math.ceil(slugs.length / EVERY_COVER));
  const covered = slugs.filter((_, index) => index % EVERY_COVER === 0);
  for (let seed = 0; seed < count; seed += 1) {
    const bytes = await picture({ seed: seed + 1, width: 1_200, height: 800 });
    const originalName = `${now.getTime()}-${seed}.jpg`;
    const { id } = await storeMedia(app, { bytes, originalName, uploadedById: null });
    const own = covered.filter((_, index) => index % count === seed);
    await inBatches(own, (some) =>
      app.db.post.updateMany({
        where: { slug: { in: some } },
        data: { coverMediaId: id, coverAlt: 'A gradient' },
      }),
    );
  }
  return count;
}

/** Scheduled over the coming year; each changes some posts. */
async function addReleases(app: App, posts: readonly { id: string }[], prefix: string): Promise<number> {
  for (let number = 1; number <= RELEASES; number += 1) {
    const publishAt = yearsAgo(app.clock.now(), -number / RELEASES);
    const release = {
      name: `${prefix}release ${number}`,
      publishAt,
      step: 'schedule',
      by: byCommand,
    } as const;
    const { id: releaseId } = await createRelease(app, release);
    const now = app.clock.now();
    await app.db.releaseItem.createMany({
      data: posts.slice((number - 1) * ITEMS_A_RELEASE, number * ITEMS_A_RELEASE).map(({ id }) => ({
        ...{ id: newId(app.clock), releaseId, kind: 'post', subjectId: id, action: 'update' },
        ...{
          fields: JSON.stringify({ title: `Changed by release ${number}` }),
          createdAt: now,
          updatedAt: now,
        },
      })),
    });
  }
  return RELEASES;
}
