import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { App } from '#app/app.ts';
import { FILE_MODE, FOLDER_MODE } from '#app/backup/folder-writer.server.ts';
import { makeFolderWhole } from '#app/backup/new-folder.server.ts';
import type { ReportProgress } from '#app/backup/progress.ts';
import { withSnapshot } from '#app/backup/snapshot.server.ts';
import { isInMediaFolder } from '#app/backup/media-folder.server.ts';
import { withUploadsLock } from '#app/media/uploads-lock.server.ts';
import { notTrashed } from '#app/posts/states.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { addressesOf, replaceAddresses } from './addresses.ts';
import { MediaExport } from './export-media.server.ts';
import { fileNameOf } from './export-names.ts';
import { markdownFileOf } from './export-post.ts';
import { readNamesakes, readPostsAfter, type PostToExport } from './export-reads.server.ts';
import { revisionLinesOf } from './export-revisions.server.ts';

export interface ContentExportInput {
  /** Missing or empty. */
  outputDir: string;
  /** The posts' earlier texts too, as JSON lines that an import passes over. */
  revisions?: boolean;
  onProgress?: ReportProgress;
}

export interface ContentExportResult {
  outputDir: string;
  postCount: number;
  mediaFileCount: number;
}

const folders = { posts: 'posts', media: 'media', revisions: 'revisions' } as const;
/** A post may have 2 MB. */
const PAGE_SIZE = 20;

/**
 * `content:export`: all posts of one moment as a folder of Markdown files (contract, section 7), with the
 * images that they name. The folder appears whole or not at all.
 * @returns the result, and beside it what could not come along, in words
 * @throws AppError `conflict` when the folder is not free, `invalid_input` when it would be public
 */
export async function exportContent(
  app: Pick<App, 'env' | 'mediaStore'>,
  input: ContentExportInput,
): Promise<{ result: ContentExportResult; warnings: string[] }> {
  const outputDir = path.resolve(input.outputDir);
  if (await isInMediaFolder(app.mediaStore, outputDir))
    throw new AppError(
      'invalid_input',
      'An export below the uploads folder would be public. Name another folder.',
    );
  return withUploadsLock(app, 'shared', () =>
    makeFolderWhole(outputDir, (folder) =>
      withSnapshot(app.env.database, async (tx) => {
        const run = await ContentExport.open(app, tx, folder, input);
        const postCount = await run.writePosts();
        const result = { outputDir, postCount, mediaFileCount: run.media.fileCount };
        return { result, warnings: [...run.media.warnings, ...(await scheduledUpdatesLeftOut(tx))] };
      }),
    ),
  );
}

class ContentExport {
  readonly media: MediaExport;
  private readonly app: Pick<App, 'env'>;
  private readonly tx: Transaction;
  private readonly folder: string;
  private readonly input: ContentExportInput;
  /** Display names of several authors. */
  private namesakes: ReadonlySet<string> = new Set();

  static async open(
    app: Pick<App, 'env' | 'mediaStore'>,
    tx: Transaction,
    folder: string,
    input: ContentExportInput,
  ): Promise<ContentExport> {
    for (const [name, below] of Object.entries(folders))
      if (name !== 'revisions' || input.revisions)
        await mkdir(path.join(folder, below), { mode: FOLDER_MODE });
    return new ContentExport(app, tx, folder, input);
  }

  private constructor(
    app: Pick<App, 'env' | 'mediaStore'>,
    tx: Transaction,
    folder: string,
    input: ContentExportInput,
  ) {
    this.app = app;
    this.tx = tx;
    this.folder = folder;
    this.input = input;
    this.media = new MediaExport(app.mediaStore, path.join(folder, folders.media));
  }

  async writePosts(): Promise<number> {
    const total = await this.tx.post.count({ where: notTrashed });
    let done = 0;
    this.namesakes = await readNamesakes(this.tx);
    for (let last = ''; ;) {
      const page = await readPostsAfter(this.tx, last, PAGE_SIZE);
      const files = [];
      for (const post of page) {
        this.input.onProgress?.({ step: 'Exporting', done: (done += 1), total });
        files.push(...(await this.filesOf(post)));
      }
      // Together, so that the disk brings them to safety in one go.
      await Promise.all(files.map(({ file, text }) => this.write(file, text)));
      if (page.length < PAGE_SIZE) return total;
      last = page.at(-1)!.id;
    }
  }

  private async filesOf(post: PostToExport): Promise<{ file: string; text: string }[]> {
    const digest = createHash('sha256').update(post.slug).digest('hex').slice(0, 16);
    const name = fileNameOf(post.slug, { isDated: post.publishedAt !== null }, digest);
    const text = markdownFileOf({
      ...post,
      author: post.author && { ...post.author, isNamesake: this.namesakes.has(post.author.displayName) },
      body: await this.withOwnMedia(post.body),
      cover: post.coverPath === null ? null : await this.addressOf(post.coverPath),
    });
    const files = [{ file: `${folders.posts}/${name}.md`, text }];
    if (this.input.revisions) {
      const lines = await revisionLinesOf(this.tx, post.id);
      if (lines !== '') files.push({ file: `${folders.revisions}/${name}.jsonl`, text: lines });
    }
    return files;
  }

  /** The text with the uploads that it names as relative paths. */
  private async withOwnMedia(body: string): Promise<string> {
    const found = new Map<string, string>();
    for (const address of addressesOf(body)) {
      const upload = this.uploadOf(address);
      const target = upload === null ? null : await this.addressOf(upload);
      if (target !== null) found.set(address, target);
    }
    return found.size === 0 ? body : replaceAddresses(body, (address) => found.get(address) ?? null);
  }

  private uploadOf(address: string): string | null {
    const { siteUrl } = this.app.env;
    const local = address.startsWith(`${siteUrl}/`) ? address.slice(siteUrl.length) : address;
    return local.startsWith('/uploads/') ? local.slice('/uploads/'.length).replace(/[?#].*$/s, '') : null;
  }

  private async addressOf(upload: string): Promise<string | null> {
    const name = await this.media.take(upload);
    return name && `../${folders.media}/${name}`;
  }

  private async write(file: string, text: string): Promise<void> {
    await writeFile(path.join(this.folder, file), text, { flag: 'wx', mode: FILE_MODE, flush: true });
  }
}

async function scheduledUpdatesLeftOut(tx: Transaction): Promise<string[]> {
  const count = await tx.scheduledUpdate.count();
  return count === 0
    ? []
    : [`scheduled updates of published posts are not part of an export: ${count} left out.`];
}
