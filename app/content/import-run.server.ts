import type { App } from '#app/app.ts';
import { isAppError } from '#app/platform/errors.ts';
import { withUploadsLock } from '#app/media/uploads-lock.server.ts';
import { importPosts } from '#app/publishing/import-posts.server.ts';
import { renderBody } from '#app/publishing/render-body.server.ts';
import {
  Claims,
  planImport,
  type ResolvedPost,
  type ResolvedTerm,
  type ImportPlan,
} from '#app/publishing/plan-import.server.ts';
import { replaceAddresses } from './addresses.ts';
import { MediaImport } from './import-media.server.ts';
import { sourcePostSchema, type SourceItem, type UnreadableItem, type ValidItem } from './source-post.ts';
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
  /** Gets what became of each item, as soon as it is settled. */
  onItem?: (report: ItemReport) => Promise<void>;
  onProgress?: (progress: { step: string; done: number; total: number }) => void;
}

/** What became of one item. */
export interface ItemReport {
  item: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'skipped';
  /** Of the post. */
  slug?: string;
  /** Why it was skipped. */
  reason?: string;
  warnings: string[];
}

/** One run of an import: what it has done so far, and what it still holds. */
export class ImportRun {
  readonly result: ImportResult;
  private readonly app: ImportApp;
  private readonly options: ImportOptions;
  private readonly media: MediaImport;
  /** Only a dry run needs to remember: what a real one has taken stands in the database. */
  private readonly claims = new Claims();
  private readonly keys = new Set<string>();
  /** Of the batch that is at work, by item. */
  private readonly warnings = new Map<string, string[]>();

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
  async validate(item: SourceItem | UnreadableItem): Promise<ValidItem | null> {
    if ('reason' in item) return this.skip(item.key, item.reason);
    if (this.keys.has(item.key)) return this.skip(item.key, 'The source has this item twice.');
    this.keys.add(item.key);
    const post = sourcePostSchema.safeParse(item.post);
    if (!post.success) return this.skip(item.key, post.error.issues[0]!.message);
    return { ...item, post: post.data };
  }

  async importBatch(items: ValidItem[]): Promise<void> {
    const changed = await this.changedItems(items);
    if (changed.length === 0) return;
    // From the first file that is written to the rows that name it.
    const plan = await withUploadsLock(this.app, 'shared', async () => {
      const posts: ResolvedPost[] = [];
      for (const { item, postId } of changed) posts.push(await this.prepare(item, postId));
      return this.options.dryRun ? planImport(this.app.db, posts, this.claims) : this.write(posts);
    });
    await this.record(plan);
  }

  /** Leaves out what an earlier run brought in and did not change since. A post that was deleted comes again. */
  private async changedItems(items: ValidItem[]) {
    const known = await this.app.db.importItem.findMany({
      where: { source: this.options.source, itemKey: { in: items.map(({ key }) => key) } },
    });
    const posts = await this.app.db.post.findMany({
      where: { id: { in: known.map(({ postId }) => postId) } },
      select: { id: true },
    });
    const present = new Set(posts.map(({ id }) => id));
    const changed: { item: ValidItem; postId: string | null }[] = [];
    for (const item of items) {
      const earlier = known.find((row) => row.itemKey === item.key && present.has(row.postId));
      if (earlier?.contentHash !== item.hash) changed.push({ item, postId: earlier?.postId ?? null });
      else await this.options.onItem?.({ item: item.key, outcome: 'unchanged', warnings: [] });
    }
    return changed;
  }

  private async prepare(item: ValidItem, postId: string | null): Promise<ResolvedPost> {
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
        tags: post.tags.map(({ name }) => name),
        publishedAt: post.publishedAt,
        archiveAt: post.archiveAt,
        coverMediaId: cover?.id ?? null,
        coverAlt: post.coverAlt,
        seoTitle: post.seoTitle,
        seoDescription: post.seoDescription,
        canonicalUrl: post.canonicalUrl,
      },
      rendered: await renderBody(this.app, body),
      status: post.status,
      updatedAt: post.updatedAt,
      category: post.category && withPaths(post.category),
      tags: post.tags.map(withPaths),
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
  private async write(posts: ResolvedPost[]): Promise<ImportPlan | null> {
    try {
      return await importPosts(this.app, posts);
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (posts.length > 1) for (const post of posts) await this.record(await this.write([post]));
      else await this.skip(posts[0]!.key, error.message);
      return null;
    }
  }

  private async record(plan: ImportPlan | null): Promise<void> {
    if (!plan) return;
    const { imported } = this.result;
    imported.posts += plan.posts.length;
    imported.categories += plan.newCategories.length;
    imported.tags += plan.newTags.length;
    imported.redirects += plan.newTermRedirects.length;
    imported.media = this.media.storedCount;
    for (const { key, message } of plan.warnings) this.warn(key, message);
    for (const { key: item, postId, slug, newRedirects } of plan.posts) {
      imported.redirects += newRedirects.length;
      const outcome = postId === null ? 'created' : 'updated';
      await this.options.onItem?.({ item, outcome, slug, warnings: this.takeWarnings(item) });
    }
  }

  private async skip(item: string, reason: string): Promise<null> {
    this.result.skipped.push({ item, reason });
    await this.options.onItem?.({ item, outcome: 'skipped', reason, warnings: this.takeWarnings(item) });
    return null;
  }

  private warn(key: string, message: string): void {
    this.result.warnings.push(`${key}: ${message}`);
    this.warnings.set(key, [...(this.warnings.get(key) ?? []), message]);
  }

  private takeWarnings(key: string): string[] {
    const warnings = this.warnings.get(key) ?? [];
    this.warnings.delete(key);
    return warnings;
  }
}

function withPaths(term: ResolvedTerm): ResolvedTerm {
  return { ...term, aliases: term.aliases.flatMap((alias) => oldAddress(alias) ?? []) };
}
