import { oldAddress } from '#app/import/addresses/old-address.ts';
import { MediaImport } from '#app/import/media/import-media.server.ts';
import { hashWithoutFiles } from '#app/import/model/item-hash.server.ts';
import {
  type SourceFile,
  type SourceItem,
  type ValidItem,
  withinTagLimit,
  type ValidPost,
} from '#app/import/model/post.ts';
import { validPost } from '#app/import/model/valid-post.ts';
import { withUploadsLock } from '#app/media/library/uploads-lock.server.ts';
import type { Database } from '#app/platform/database/client.server.ts';
import { isAppError, type AppError } from '#app/platform/errors.ts';
import { toStorable } from '#app/platform/text/schemas.ts';
import { frontMatterFieldNames, pickFields } from '#app/posts/fields/fields.ts';
import { replaceAddresses } from '#app/posts/markdown/addresses.ts';
import { shorten } from '#app/posts/markdown/excerpt.ts';
import { ownSlug, postPath } from '#app/posts/paths.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { renderBody } from '#app/publishing/post-row/body.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { changedItems } from './changed-items.server.ts';
import { type ImportPlan, Reservations, planImport } from './plan.server.ts';
import type { ImportReport } from './report.ts';
import type { ResolvedPost, ResolvedTerm } from './resolved-post.ts';
import { importPosts } from './write.server.ts';

/** One run of an import: validates items and writes them in batches. */
export class ImportRun {
  private readonly app: PublishingContext;
  private readonly report: ImportReport;
  private readonly dryRun: boolean;
  private readonly source: string;
  private readonly media: MediaImport;
  /** Needed by a dry run only: a real run finds its own addresses in the database. */
  private readonly reservations = new Reservations();
  private readonly keys = new Set<string>();
  private readonly paths: PostPaths;

  constructor(app: PublishingContext, report: ImportReport, options: { dryRun: boolean }) {
    this.app = app;
    this.report = report;
    this.dryRun = options.dryRun;
    this.source = report.result.source;
    this.media = new MediaImport(app, options);
    this.paths = new PostPaths(app.db);
  }

  /** Checks an item. Returns null for one that cannot become a post, and reports it as skipped. */
  async validate(item: SourceItem): Promise<ValidItem | null> {
    if (this.keys.has(item.key)) return this.skip(item.key, 'The source has this item twice.');
    this.keys.add(item.key);
    const { tags, warnings } = withinTagLimit(item);
    const valid = validPost({ ...item.post, tags });
    if ('problem' in valid) return this.skip(item.key, valid.problem);
    // As addresses are in the text now.
    const media = item.media.map(({ address, file }) => ({ address: toStorable(address), file }));
    return { ...item, post: valid.post, media, warnings: [...warnings, ...valid.warnings] };
  }

  /** Writes the items, except those that an earlier run has written in the same form. */
  async importBatch(items: ValidItem[]): Promise<void> {
    const changed = await changedItems(this.app.db, this.report, items);
    if (changed.length === 0) return;
    // The lock is held from the first file until the rows that refer to it are written.
    const plan = await withUploadsLock(this.app, 'shared', async () => {
      // Reads the settings once a batch: reading them for each text took more time than rendering it.
      const app = { ...this.app, settings: await readSettings(this.app) };
      await this.media.addAhead(
        changed.flatMap(({ item }) => [...item.media.map(({ file }) => file), item.post.cover ?? []].flat()),
      );
      const prepared: PreparedPost[] = [];
      for (const { item, postId } of changed) prepared.push(await this.prepare(item, postId));
      const posts: ResolvedPost[] = [];
      for (const { key, value } of await renderPosts(app, prepared)) {
        if (isAppError(value)) await this.skip(key, value.message);
        else posts.push(value);
      }
      return this.dryRun
        ? planImport(this.app.db, posts, { reservations: this.reservations, settings: app.settings })
        : this.write(posts);
    });
    await this.record(plan);
  }

  private async prepare(item: ValidItem, postId: string | null): Promise<PreparedPost> {
    const { key, hash, post } = item;
    for (const warning of item.warnings) this.report.warn(key, warning);
    const failedBefore = this.media.failedCount;
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
    const failed = this.media.failedCount - failedBefore;
    return {
      source: this.source,
      key,
      hash: failed > 0 ? hashWithoutFiles(hash, failed) : hash,
      postId,
      parentPath: post.type === 'page' ? post.parent : '',
      fields: {
        title: post.title,
        slug: post.slug,
        excerpt: post.excerpt,
        body,
        tags: post.tags.map(({ name }) => name),
        publishedAt: post.publishedAt,
        archiveAt: post.archiveAt,
        coverMediaId: cover?.id ?? null,
        type: post.type,
        parentId: post.type === 'page' ? await this.idAt(key, post.parent, 'The page above') : null,
        language: post.language,
        translationOf: await this.idAt(key, post.translationOf, 'The translated post'),
        authors: post.authors,
        ...{ template: '', sendByEmail: '', emailSubject: '', emailPreview: '' },
        ...pickFields(post, frontMatterFieldNames),
      },
      status: post.status,
      updatedAt: post.updatedAt,
      category: post.category && withPaths(post.category),
      tags: post.tags.map(withPaths),
      author: post.author,
      accounts: post.accounts,
      aliases: this.aliasesOf(key, [...formerPath(post), ...post.aliases]),
      guid: post.guid,
      comments: post.comments,
    };
  }

  /** False for a page before its parent, and for a translation before its original. */
  async isReady({ post }: ValidItem): Promise<boolean> {
    for (const path of [post.parent, post.translationOf])
      if (path !== '' && !(await this.paths.isKnown(path))) return false;
    return true;
  }

  private async idAt(key: string, path: string, what: string): Promise<string | null> {
    if (path === '') return null;
    const id = await this.paths.idAt(path);
    if (id === null && !this.paths.isPlanned(path)) this.report.warn(key, `${what}, ${path}, is not here.`);
    return id;
  }

  /** Adds a file that no post names to the library. */
  async importFile({ key, file }: SourceFile): Promise<void> {
    const before = this.media.storedCount;
    try {
      await withUploadsLock(this.app, 'shared', () => this.media.add(file));
    } catch (error) {
      if (!isAppError(error) || error.code !== 'invalid_input') throw error;
      return this.report.ignored(key, { kind: 'attachment', reason: error.message });
    }
    this.report.result.imported.media = this.media.storedCount;
    await this.report.file(key, { isNew: this.media.storedCount > before });
  }

  private async takeMedia(key: string, address: string, file: string) {
    try {
      const media = await this.media.add(file);
      if (media.warning) this.report.warn(key, `${address}: ${media.warning}`);
      return media;
    } catch (error) {
      if (!isAppError(error) || error.code !== 'invalid_input') throw error;
      this.report.warn(key, `${address}: ${error.message}`);
      return null;
    }
  }

  private aliasesOf(key: string, written: string[]): string[] {
    return written.flatMap((alias) => {
      const path = oldAddress(alias);
      if (path === null)
        this.report.warn(
          key,
          `The old address ${shorten(alias, 100)} is no path, or too long, and was left out.`,
        );
      return path ?? [];
    });
  }

  /** Writes a batch in one transaction. If the database refuses it, writes its posts one by one to find the cause. */
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
    const { imported } = this.report.result;
    imported.categories += plan.newCategories.length;
    imported.tags += plan.newTags.length;
    imported.redirects += plan.newTermRedirects.length;
    imported.media = this.media.storedCount;
    for (const { key, message } of plan.warnings) this.report.warn(key, message);
    for (const { key, postId, address, newRedirects, comments, fields } of plan.posts) {
      this.paths.plan(postPath(address));
      imported.comments += comments.length;
      imported.redirects += newRedirects.length;
      await this.report.written(key, ownSlug(address), {
        isNew: postId === null,
        isPage: fields.type === 'page',
      });
    }
  }

  private async skip(item: string, reason: string): Promise<null> {
    await this.report.skipped(item, reason);
    return null;
  }
}

function withPaths(term: ResolvedTerm): ResolvedTerm {
  return { ...term, aliases: term.aliases.flatMap((alias) => oldAddress(alias) ?? []) };
}

/** The path of a page below its parent. It leads to the page where the parent is not here, or has another path. */
function formerPath({ type, parent, slug }: ValidItem['post']): string[] {
  return type === 'page' && parent !== '' && slug !== '' ? [`${parent}/${slug}`] : [];
}

/** The posts and pages by their paths: those of the site, and those that a dry run plans. */
class PostPaths {
  private readonly db: Pick<Database, 'post' | 'redirect'>;
  private readonly planned = new Set<string>();

  constructor(db: Pick<Database, 'post' | 'redirect'>) {
    this.db = db;
  }

  plan(path: string): void {
    this.planned.add(path);
  }

  isPlanned(path: string): boolean {
    return this.planned.has(path);
  }

  /**
   * The post or page at a path, also at its old one: this import may have given it another slug.
   * @returns null if the site has none
   */
  async idAt(path: string): Promise<string | null> {
    const slug = path.replace(/^\/posts\//, '');
    const row = await this.db.post.findUnique({ where: { slug }, select: { id: true } });
    if (row) return row.id;
    const type = path === slug ? 'page' : 'post';
    const redirect = await this.db.redirect.findFirst({ where: { path, post: { type } } });
    return redirect?.postId ?? null;
  }

  async isKnown(path: string): Promise<boolean> {
    return this.isPlanned(path) || (await this.idAt(path)) !== null;
  }
}

type RenderApp = PublishingContext & { settings: Settings };

/** A post whose texts are not rendered yet. */
type PreparedPost = Omit<ResolvedPost, 'rendered' | 'comments'> & Pick<ValidPost, 'comments'>;

/**
 * Renders the texts of posts, all at once: while a worker thread does it, this one reads the next items.
 * @returns each post in order, or why its text cannot be rendered
 */
function renderPosts(
  app: RenderApp,
  posts: PreparedPost[],
): Promise<{ key: string; value: ResolvedPost | AppError }[]> {
  return Promise.all(
    posts.map(async (post) => {
      const value = await renderPost(app, post).catch((error: unknown) => {
        if (isAppError(error) && error.code === 'invalid_input') return error;
        throw error;
      });
      return { key: post.key, value };
    }),
  );
}

async function renderPost(app: RenderApp, post: PreparedPost): Promise<ResolvedPost> {
  const { body, language } = post.fields;
  const rendered = await renderBody(app, body, language);
  const comments = [];
  for (const comment of post.comments)
    comments.push({ ...comment, html: (await renderBody(app, comment.text)).html });
  return { ...post, rendered, comments };
}
