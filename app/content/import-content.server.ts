import type { App } from '#app/app.ts';
import { isAppError } from '#app/platform/errors.ts';
import { withUploadsLock } from '#app/media/uploads-lock.server.ts';
import { importPosts } from '#app/publishing/import-posts.server.ts';
import { renderBody } from '#app/publishing/render-body.server.ts';
import {
  Claims,
  planImport,
  type ImportedPost,
  type ImportPlan,
} from '#app/publishing/plan-import.server.ts';
import { drainOutbox } from '#app/search/outbox.server.ts';
import { replaceAddresses } from './addresses.ts';
import { MediaImport } from './import-media.server.ts';
import {
  neutralPostSchema,
  type ContentSource,
  type SourceItem,
  type UnreadableItem,
} from './neutral-post.ts';
import { oldAddress } from './old-address.ts';

export type ImportApp = Pick<App, 'db' | 'clock' | 'log' | 'search' | 'env'>;

export interface ImportResult {
  source: string;
  /** Written; in a dry run, what would be. Posts that did not change at the source do not count. */
  imported: { posts: number; categories: number; tags: number; media: number; redirects: number };
  skipped: { item: string; reason: string }[];
  warnings: string[];
}

export interface ImportOptions {
  source: string;
  dryRun: boolean;
  onProgress?: (progress: { step: string; done: number; total: number }) => void;
}

const BATCH_POSTS = 25;
const BATCH_CHARACTERS = 4_000_000;

/**
 * Imports what a source gives: parse → validate → plan → write in batches through the one door. Items that
 * did not change since an earlier run are passed over, so a second run changes nothing and a stopped one goes on. One bad item is
 * skipped with its reason.
 */
export async function importContent(
  app: ImportApp,
  source: ContentSource,
  options: ImportOptions,
): Promise<ImportResult> {
  const run = new ImportRun(app, options);
  let batch: SourceItem[] = [];
  let size = 0;
  for await (const item of source.items()) {
    options.onProgress?.({ step: 'Importing', ...source.progress() });
    const valid = run.validate(item);
    if (!valid) continue;
    batch.push(valid);
    size += valid.post.body.length;
    if (batch.length < BATCH_POSTS && size < BATCH_CHARACTERS) continue;
    await run.importBatch(batch);
    [batch, size] = [[], 0];
  }
  await run.importBatch(batch);
  if (!options.dryRun) await drainOutbox(app, { deadlineMs: null });
  return run.result;
}

class ImportRun {
  readonly result: ImportResult;
  private readonly app: ImportApp;
  private readonly options: ImportOptions;
  private readonly media: MediaImport;
  /** Only a dry run needs to remember: what a real one has taken stands in the database. */
  private readonly claims = new Claims();
  private readonly keys = new Set<string>();

  constructor(app: ImportApp, options: ImportOptions) {
    this.app = app;
    this.options = options;
    this.media = new MediaImport(app, options);
    this.result = {
      source: options.source,
      imported: { posts: 0, categories: 0, tags: 0, media: 0, redirects: 0 },
      skipped: [],
      warnings: [],
    };
  }

  /** The item in its final form; null, with the reason in the result, where it cannot be a post. */
  validate(item: SourceItem | UnreadableItem): SourceItem | null {
    if ('reason' in item) return this.skip(item.key, item.reason);
    if (this.keys.has(item.key)) return this.skip(item.key, 'The source has this item twice.');
    this.keys.add(item.key);
    const post = neutralPostSchema.safeParse(item.post);
    if (!post.success) return this.skip(item.key, post.error.issues[0]!.message);
    return { ...item, post: post.data };
  }

  async importBatch(items: SourceItem[]): Promise<void> {
    const changed = await this.changedItems(items);
    if (changed.length === 0) return;
    // From the first file that is written to the rows that name it.
    const plan = await withUploadsLock(this.app, 'shared', async () => {
      const posts: ImportedPost[] = [];
      for (const { item, postId } of changed) posts.push(await this.prepare(item, postId));
      return this.options.dryRun ? planImport(this.app.db, posts, this.claims) : this.write(posts);
    });
    this.record(plan);
  }

  /** Leaves out what an earlier run brought in and did not change since. A post that was deleted comes again. */
  private async changedItems(items: SourceItem[]) {
    const known = await this.app.db.importItem.findMany({
      where: { source: this.options.source, itemKey: { in: items.map(({ key }) => key) } },
    });
    const posts = await this.app.db.post.findMany({
      where: { id: { in: known.map(({ postId }) => postId) } },
      select: { id: true },
    });
    const present = new Set(posts.map(({ id }) => id));
    return items.flatMap((item) => {
      const earlier = known.find((row) => row.itemKey === item.key && present.has(row.postId));
      return earlier?.contentHash === item.hash ? [] : [{ item, postId: earlier?.postId ?? null }];
    });
  }

  private async prepare(item: SourceItem, postId: string | null): Promise<ImportedPost> {
    const { key, hash, post } = item;
    for (const warning of item.warnings) this.warn(key, warning);
    const addresses = new Map<string, string>();
    for (const { address, file } of item.media) {
      const media = await this.takeMedia(key, address, file);
      if (media) addresses.set(address, media.address);
    }
    const cover = post.cover === null ? null : await this.takeMedia(key, 'The cover', post.cover);
    const body =
      addresses.size === 0
        ? post.body
        : replaceAddresses(post.body, (address) => addresses.get(address) ?? null);
    return {
      source: this.options.source,
      key,
      hash,
      postId,
      fields: {
        title: post.title,
        slug: post.slug,
        excerpt: post.excerpt,
        body,
        tags: post.tags,
        publishedAt: post.publishedAt,
        archiveAt: post.archiveAt,
        coverMediaId: cover?.id ?? null,
        coverAlt: cover ? post.coverAlt : '',
        seoTitle: post.seoTitle,
        seoDescription: post.seoDescription,
        canonicalUrl: post.canonicalUrl,
      },
      rendered: await renderBody(this.app, body),
      status: post.status,
      updatedAt: post.updatedAt,
      category: post.category,
      author: post.author,
      aliases: this.aliasesOf(key, post.aliases),
    };
  }

  private async takeMedia(key: string, address: string, file: string) {
    try {
      return await this.media.take(file);
    } catch (error) {
      if (!isAppError(error)) throw error;
      this.warn(key, `${address}: ${error.message}`);
      return null;
    }
  }

  private aliasesOf(key: string, written: string[]): string[] {
    return written.flatMap((alias) => {
      const path = oldAddress(alias);
      if (path === null) this.warn(key, `The old address ${alias} is no path and was left out.`);
      return path ?? [];
    });
  }

  /** A batch in one transaction; when that is refused, its posts one by one, to find the one that is to blame. */
  private async write(posts: ImportedPost[]): Promise<ImportPlan | null> {
    try {
      return await importPosts(this.app, posts);
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (posts.length > 1) for (const post of posts) this.record(await this.write([post]));
      else this.skip(posts[0]!.key, error.message);
      return null;
    }
  }

  private record(plan: ImportPlan | null): void {
    if (!plan) return;
    const { imported } = this.result;
    imported.posts += plan.posts.length;
    imported.categories += plan.newCategories.length;
    imported.tags += plan.newTags.length;
    imported.redirects += plan.posts.reduce((count, { newRedirects }) => count + newRedirects.length, 0);
    imported.media = this.media.storedCount;
    for (const { key, message } of plan.warnings) this.warn(key, message);
  }

  private skip(item: string, reason: string): null {
    this.result.skipped.push({ item, reason });
    return null;
  }

  private warn(key: string, message: string): void {
    this.result.warnings.push(`${key}: ${message}`);
  }
}
