import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import type { PublishResult } from '#app/publishing/trigger/publish-due.server.ts';
import { checkIndex, reindexPosts } from '#app/search/reindex.server.ts';
import type { Cluster } from './cluster.ts';
import { insertDuePosts } from './due-posts.ts';
import { createPosts } from './factories.ts';
import { picture } from './images.ts';
import { createPerson } from './roles.ts';

/** The content for the load. */
export interface ClusterContent {
  pages: string[];
  /** Address → SHA-256. */
  pictures: Map<string, string>;
  dueIds: string[];
  /** The session of somebody who may publish. */
  cookie: string;
}

/** Posts, pictures, and posts that become due one after the other from now on, one each `everyMs`. */
export async function fillCluster(
  { app, servers }: Cluster,
  due: number,
  everyMs = 150,
): Promise<ClusterContent> {
  await createPosts(app, 10, { status: 'published', publishedAt: new Date(Date.now() - 86_400_000) });
  await reindexPosts(app, { batchSize: 200 });
  const pictures = new Map<string, string>();
  for (let seed = 1; seed <= 4; seed += 1) {
    const bytes = await picture({ seed, width: 900 });
    const stored = await storeMedia(app, { bytes, originalName: `${seed}.jpg`, uploadedById: null });
    pictures.set(`/uploads/${stored.path}`, stored.sha256);
  }
  const posts = await app.db.post.findMany({ select: { slug: true } });
  const pages = ['/', '/archive', '/rss.xml', '/sitemap.xml', ...posts.map(({ slug }) => `/posts/${slug}`)];
  const started = Date.now();
  const dueIds = await insertDuePosts(app, due, (index) => new Date(started + index * everyMs));
  const { client } = await createPerson(app, servers[0]!, 'editor');
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { pages, pictures, dueIds, cookie };
}

/** Readers, two editors and a trigger on each server, until it is stopped. */
export interface ClusterLoad {
  reads: number;
  /** Reads that were repeated: the balancer's end broke them off, or it did not accept them. */
  askedAgain: number;
  /** Reads that were answered from memory, with a warning. */
  stale: number;
  failedReads: string[];
  /** Slugs of saves that were confirmed to an editor. */
  saved: string[];
  /** Status → saves that were not confirmed; 0 if the connection broke. */
  refused: Map<number, number>;
  /** Ids of published posts, as the triggers reported them. */
  reported: string[];
  /** Stops the editors before their next save. Resolves when no save is running. */
  pauseEditors(): Promise<void>;
  goOn(): void;
  /** Waits for so many further reads. */
  moreReads(count: number): Promise<void>;
  /** Waits until two more saves succeeded. */
  moreSaves(): Promise<void>;
  stop(): Promise<void>;
}

export function startLoad(cluster: Cluster, content: ClusterContent): ClusterLoad {
  const { servers, ask, balancer } = cluster;
  let isOver = false;
  let isPaused = false;
  let waiting = 0;
  const until = async (pauseMs: number, work: (round: number) => Promise<void>) => {
    for (let round = 0; !isOver; round += 1) {
      await work(round);
      await sleep(pauseMs);
    }
  };
  /** Repeats a request that the end of the balancer broke off, as a browser or another balancer would. */
  const askAgain = async (path: string) => {
    for (;;) {
      const { changes } = balancer;
      const answer = await ask('GET', path);
      const isDisturbed = changes % 2 === 1 || changes !== balancer.changes;
      if (answer.status !== 0 || !isDisturbed || isOver) return answer;
      load.askedAgain += 1;
      await sleep(20);
    }
  };
  const read = async (path: string) => {
    const { status, headers, body } = await askAgain(path);
    load.reads += 1;
    if (headers.warning) load.stale += 1;
    const hash = content.pictures.get(path);
    if (status !== 200) load.failedReads.push(`${status} ${path}`);
    else if (hash && sha256(body) !== hash) load.failedReads.push(`other bytes ${path}`);
  };
  const editor = (name: string) =>
    until(150, async (round) => {
      waiting += 1;
      while (isPaused && !isOver) await sleep(20);
      waiting -= 1;
      const slug = `saved-${name}-${round}`;
      const form = { title: `Saved ${slug}`, slug, body: textOf(slug), intent: 'publish' };
      const { status } = await ask('POST', '/admin/posts/new', { cookie: content.cookie, form });
      if (status === 302) load.saved.push(slug);
      else load.refused.set(status, (load.refused.get(status) ?? 0) + 1);
    });
  const trigger = (index: number) =>
    until(300, async () => {
      const authorization = 'Bearer test-cron-secret';
      const answer = await servers[index]!.client()
        .send('POST', '/api/internal/posts/publish-scheduled', { authorization })
        .catch(() => null);
      if (answer?.status === 200) load.reported.push(...answer.json<PublishResult>().publishedPostIds);
    });
  const paths = [...content.pages, ...content.pictures.keys()];
  const work = () => [
    ...[0, 5, 11].map((offset) => until(5, (round) => read(paths[(round + offset) % paths.length]!))),
    ...['a', 'b'].map(editor),
    ...servers.map((_, index) => trigger(index)),
  ];
  const load: ClusterLoad = {
    ...{ reads: 0, askedAgain: 0, stale: 0, failedReads: [], saved: [], refused: new Map(), reported: [] },
    async pauseEditors() {
      isPaused = true;
      await expect.poll(() => waiting).toBe(2);
    },
    goOn: () => void (isPaused = false),
    async moreReads(count) {
      const from = load.reads;
      await expect.poll(() => load.reads, { timeout: 60_000 }).toBeGreaterThan(from + count);
    },
    async moreSaves() {
      const from = load.saved.length;
      await expect.poll(() => load.saved.length, { timeout: 60_000 }).toBeGreaterThan(from + 1);
    },
    async stop() {
      isOver = true;
      await running;
    },
  };
  const running = Promise.all(work());
  return load;
}

/**
 * Every confirmed save is stored, every due post was published once, search has both, and no picture has changed.
 * @param stale entries of the index that may be of other rules for words, as another release has them
 */
export async function expectNothingLost(
  { app, servers }: Cluster,
  { dueIds, pictures }: ClusterContent,
  { saved, reported, failedReads }: ClusterLoad,
  stale: unknown = 0,
): Promise<void> {
  expect(failedReads).toEqual([]);
  const kept = await app.db.post.findMany({ where: { slug: { startsWith: 'saved-' } } });
  const texts = new Map(kept.map(({ slug, body }) => [slug, body]));
  expect(saved.filter((slug) => texts.get(slug) !== textOf(slug))).toEqual([]);
  expect(new Set(reported).size, 'two triggers reported one post').toBe(reported.length);
  const due = await app.db.post.findMany({ where: { id: { in: dueIds } } });
  expect(due.filter(({ status, version }) => status !== 'published' || version !== 2)).toEqual([]);
  const published = { action: 'post.published', subject: { startsWith: 'Due ' } };
  expect(await app.db.auditLog.count({ where: published })).toBe(dueIds.length);
  await expect
    .poll(() => checkIndex(app, { repair: false }), { timeout: 60_000 })
    .toMatchObject({ missing: 0, stale, orphaned: 0 });
  for (const [path, hash] of pictures)
    for (const server of servers) expect(sha256((await server.client().get(path)).body)).toBe(hash);
}

/** The load in one line, for a run by hand. */
export function describeLoad({ reads, askedAgain, stale, saved, refused, reported }: ClusterLoad): string {
  const others = [...refused].map(([status, count]) => `${count} saves answered ${status}`).join(', ');
  return `${reads} reads (${stale} from memory, ${askedAgain} asked again), ${saved.length} saves${others && `, ${others}`}, ${reported.length} due posts reported`;
}

const textOf = (slug: string) => `Text of ${slug}`;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
