import { appendFile, mkdir, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { FILE_MODE, FOLDER_MODE, makeFolderAtomically } from '#app/backup/write/folder-writer.server.ts';
import { withSnapshot } from '#app/backup/write/snapshot.server.ts';
import { isInMediaFolder } from '#app/media/library/is-in-media-folder.server.ts';
import { uploadAddressOf } from '#app/media/library/path.ts';
import { withUploadsLock } from '#app/media/library/uploads-lock.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { invalidInput } from '#app/platform/errors.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import type { Clocked, Configured } from '#app/platform/services.ts';
import { parseJson } from '#app/platform/json.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { newestFirst } from '#app/posts/fields/stored.ts';
import { readOutcome } from '#app/posts/history/changes.ts';
import { addressesOf, replaceAddresses } from '#app/posts/markdown/addresses.ts';
import { ownSlug, postPath } from '#app/posts/paths.ts';
import { MediaExport } from './export-media.server.ts';
import { ghostWriter } from './ghost-writer.server.ts';
import { hugoWriter, jekyllWriter, markdownWriter } from './markdown-writer.ts';
import { type PostToExport, readNamesakes, readPostsAfter, readSite } from './reads.server.ts';
import { type ExportTarget, type ExportTargetName, exportTargets } from './targets.ts';
import { wordpressWriter } from './wordpress-writer.server.ts';
import type { ExportedFile, ExportedSite, ExportWriter, OutgoingPost } from './post.ts';

/** Most revisions of a post that are read at once; each may hold 2 MB. */
const REVISIONS_READ = 10;

/** A post's revisions as JSON lines, newest first; `''` without one. Their authors are usernames. */
async function revisionLinesOf(tx: Transaction, postId: string): Promise<string> {
  const lines: string[] = [];
  for (let skip = 0; ; skip += REVISIONS_READ) {
    const page = await tx.revision.findMany({
      where: { postId },
      orderBy: newestFirst,
      skip,
      take: REVISIONS_READ,
      include: { author: { select: { username: true } } },
    });
    for (const { createdAt, kind, postVersion, summary, outcome, author, fields } of page)
      lines.push(
        JSON.stringify({
          createdAt: createdAt.toISOString(),
          kind,
          postVersion,
          summary,
          outcome: readOutcome(outcome),
          author: author?.username ?? null,
          fields: parseJson(fields) ?? fields,
        }),
      );
    if (page.length < REVISIONS_READ) return lines.map((line) => `${line}\n`).join('');
  }
}

const MAX_BYTES = 180;
// Names that Windows reserves for devices.
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/;

const writers: Record<ExportTargetName, (site: ExportedSite) => ExportWriter> = {
  markdown: markdownWriter,
  hugo: hugoWriter,
  jekyll: jekyllWriter,
  ghost: ghostWriter,
  wordpress: wordpressWriter,
};

export interface ContentExportInput {
  /** The folder to write; it must be missing or empty. */
  outputDir: string;
  /** The target system; Markdown by default. */
  to?: ExportTargetName;
  /** Adds the posts' earlier texts as JSON lines, which an import ignores. */
  revisions?: boolean;
  onProgress?: ReportProgress;
}

export interface ContentExportResult {
  outputDir: string;
  postCount: number;
  mediaFileCount: number;
}

const REVISIONS_FOLDER = 'revisions';
/** Posts in memory at once. A post may have 2 MB. */
const PAGE_SIZE = 20;

/**
 * `content:export`: all posts at one moment, with the media that they name, in the format of another system (contract,
 * sections 7 and 10). The folder appears complete or not at all.
 * @returns the result, and warnings about what could not be exported
 * @throws AppError `conflict` when the folder is not free, `invalid_input` when it would be public
 */
export async function exportContent(
  app: Clocked & Configured & Stored,
  input: ContentExportInput,
): Promise<{ result: ContentExportResult; warnings: string[] }> {
  const outputDir = path.resolve(input.outputDir);
  if (await isInMediaFolder(app.mediaStore, outputDir))
    throw invalidInput('An export below the uploads folder would be public. Name another folder.');
  return withUploadsLock(app, 'shared', () =>
    makeFolderAtomically(outputDir, (folder) =>
      withSnapshot(app.env.database, async (tx) => {
        const run = new ContentExport(app, tx, folder, input);
        const postCount = await run.write();
        const result = { outputDir, postCount, mediaFileCount: run.media.fileCount };
        return { result, warnings: [...run.media.warnings, ...(await scheduledUpdatesLeftOut(tx))] };
      }),
    ),
  );
}

class ContentExport {
  readonly media: MediaExport;
  private readonly app: Clocked & Configured & Stored;
  private readonly tx: Transaction;
  private readonly folder: string;
  private readonly input: ContentExportInput;
  private readonly target: ExportTarget;
  private readonly madeFolders = new Set<string>();

  constructor(
    app: Clocked & Configured & Stored,
    tx: Transaction,
    folder: string,
    input: ContentExportInput,
  ) {
    this.app = app;
    this.tx = tx;
    this.folder = folder;
    this.input = input;
    this.target = exportTargets[input.to ?? 'markdown'];
    this.media = new MediaExport(app.mediaStore, path.join(folder, this.target.mediaFolder), this.target);
  }

  async write(): Promise<number> {
    const { to = 'markdown' } = this.input;
    for (const folder of [this.target.mediaFolder, ...(to === 'markdown' ? ['posts'] : [])])
      await this.makeFolder(folder);
    const writer = writers[to](await readSite(this.tx, this.app));
    const { whole } = writer;
    if (whole) await this.writeFile({ file: whole.file, text: whole.start });
    const postCount = await this.writePosts(writer);
    if (whole) {
      const file = path.join(this.folder, whole.file);
      await appendFile(file, whole.end());
      const handle = await open(file, 'r+');
      await handle.sync().finally(() => handle.close());
    }
    for (const file of writer.lastFiles?.() ?? []) await this.writeFile(file);
    return postCount;
  }

  private async writePosts(writer: ExportWriter): Promise<number> {
    const total = await this.tx.post.count({ where: notTrashed });
    let done = 0;
    const namesakes = await readNamesakes(this.tx);
    for (let last = ''; ;) {
      const page = await readPostsAfter(this.tx, last, PAGE_SIZE);
      const files: ExportedFile[] = [];
      for (const row of page) {
        this.input.onProgress?.({ step: 'Exporting', done: (done += 1), total });
        const post = await this.outgoingPost(row, namesakes);
        files.push(...writer.filesOf(post), ...(await this.revisionsOf(post)));
        if (writer.whole && writer.partOf)
          await appendFile(path.join(this.folder, writer.whole.file), writer.partOf(post));
      }
      // Written at the same time, so that one flush of the disk serves all of them.
      for (const { file } of files) await this.makeFolder(path.dirname(file));
      await Promise.all(files.map((file) => this.writeFile(file)));
      if (page.length < PAGE_SIZE) return total;
      last = page.at(-1)!.id;
    }
  }

  private async outgoingPost(post: PostToExport, namesakes: ReadonlySet<string>): Promise<OutgoingPost> {
    const names = post.slug.split('/').filter((name) => name !== '');
    const isDated = post.publishedAt !== null;
    const digest = (name: string) => sha256Of(name).slice(0, 16);
    return {
      ...post,
      slug: ownSlug(post.slug),
      path: postPath(post.slug),
      fileName: names.map((name) => fileNameOf(name, { isDated }, digest(name))).join('/'),
      author: post.author && { ...post.author, isNamesake: namesakes.has(post.author.displayName) },
      guid: post.sourceGuid,
      body: await this.withOwnMedia(post.body),
      cover: post.coverPath === null ? null : await this.addressOf(post.coverPath),
    };
  }

  private async revisionsOf({ id, type, fileName }: OutgoingPost): Promise<ExportedFile[]> {
    if (!this.input.revisions) return [];
    const text = await revisionLinesOf(this.tx, id);
    // A page and a post may have the same name.
    const folder = type === 'page' ? `${REVISIONS_FOLDER}/pages` : REVISIONS_FOLDER;
    return text === '' ? [] : [{ file: `${folder}/${fileName}.jsonl`, text }];
  }

  /** Replaces the addresses of uploads in a text by the addresses of their copies in the export. */
  private async withOwnMedia(body: string): Promise<string> {
    const exportedAddresses = new Map<string, string>();
    for (const address of addressesOf(body)) {
      const upload = this.uploadOf(address);
      const target = upload === null ? null : await this.addressOf(upload);
      if (target !== null) exportedAddresses.set(address, target);
    }
    return exportedAddresses.size === 0
      ? body
      : replaceAddresses(body, (address) => exportedAddresses.get(address) ?? null);
  }

  private uploadOf(address: string): string | null {
    return uploadAddressOf(address, this.app.env.siteUrl)?.slice('/uploads/'.length) ?? null;
  }

  private async addressOf(upload: string): Promise<string | null> {
    const name = await this.media.take(upload);
    return name && this.target.addressOf(name);
  }

  private async makeFolder(relativePath: string): Promise<void> {
    if (this.madeFolders.has(relativePath)) return;
    this.madeFolders.add(relativePath);
    await mkdir(path.join(this.folder, relativePath), { recursive: true, mode: FOLDER_MODE });
  }

  private async writeFile({ file, text }: ExportedFile): Promise<void> {
    await this.makeFolder(path.dirname(file));
    await writeFile(path.join(this.folder, file), text, { flag: 'wx', mode: FILE_MODE, flush: true });
  }
}

async function scheduledUpdatesLeftOut(tx: Transaction): Promise<string[]> {
  const count = await tx.scheduledUpdate.count();
  return count === 0
    ? []
    : [`scheduled updates of published posts are not part of an export: ${count} left out.`];
}

/**
 * A post's file name without its ending: its slug, changed if a file system could not store it or an import would
 * misread it. Slugs have no `_`, so no two slugs get one name.
 * @param digest of the slug, for slugs that are too long
 */
function fileNameOf(slug: string, { isDated }: { isDated: boolean }, digest: string): string {
  const name = Buffer.byteLength(slug) > MAX_BYTES ? `${beginning(slug)}_${digest}` : slug;
  if (reserved.test(name)) return `${name}_`;
  // An import would take a date at the start of the name for the post's date.
  return !isDated && /^\d{4}-\d{2}-\d{2}/.test(name) ? `_${name}` : name;
}

function beginning(slug: string): string {
  const bytes = Buffer.from(slug).subarray(0, MAX_BYTES - 40);
  // A character that is cut becomes one that no slug has.
  return bytes.toString().replace(/\uFFFD+$/, '');
}
