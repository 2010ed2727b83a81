import { createHash } from 'node:crypto';
import { contentName, addFile } from '#app/platform/files/sha256.server.ts';
import type { SourceItem } from './post.ts';

/**
 * Hashes an item: its values at the source and the files that it names. The digest of an item with files has four words:
 * the hash of all, the hash without fetched files, the hash of the values alone, and the number of files.
 */
export class ItemHash {
  private readonly all = createHash('sha256');
  private readonly own = createHash('sha256');
  private readonly values = createHash('sha256');
  private fileCount = 0;

  update(value: string): this {
    for (const hash of [this.all, this.own, this.values]) hash.update(value);
    return this;
  }

  /** Adds the content of a file, or a hash of it. */
  addFile(content: string | Buffer, { isFetched }: { isFetched: boolean }): void {
    this.fileCount += 1;
    this.all.update(content);
    if (!isFetched) this.own.update(content);
  }

  /** Adds a file of the source, which may not fit into memory. */
  async addLocalFile(file: string): Promise<void> {
    this.fileCount += 1;
    const update = (bytes: Buffer) => [this.all, this.own].map((hash) => hash.update(bytes));
    await addFile({ update }, file);
  }

  digest(): string {
    const [all, own, values] = [this.all, this.own, this.values].map((hash) => hash.digest('hex'));
    return this.fileCount === 0 ? all! : `${all} ${own} ${values} ${this.fileCount}`;
  }
}

/**
 * How an item differs from an earlier run. `otherFiles`: only in that this run fetched its pictures in another quality,
 * or has fewer of its files: the old site may be gone, and the folder of uploads be left out. `moreFiles`: only in that
 * more of its files are there.
 */
export function differenceFrom(
  earlier: string,
  { hash, formerHash = hash }: Pick<SourceItem, 'hash' | 'formerHash'>,
): 'none' | 'otherFiles' | 'moreFiles' | 'source' {
  const [before, now] = [partsOf(earlier), partsOf(hash)];
  if (before.all === now.all || before.all === partsOf(formerHash).all) return 'none';
  if (before.own === now.own && now.fileCount <= before.fileCount) return 'otherFiles';
  if (before.values !== now.values) return 'source';
  if (now.fileCount > before.fileCount) return 'moreFiles';
  const isAllFetched = now.own === now.values;
  return now.fileCount < before.fileCount || isAllFetched ? 'otherFiles' : 'source';
}

/** True when an item has files of the folder, and not the same ones with the same content as in an earlier run. */
export function hasOtherLocalFiles(earlier: string, { hash }: Pick<SourceItem, 'hash'>): boolean {
  const { own, values } = partsOf(hash);
  return own !== values && own !== partsOf(earlier).own;
}

/** True when an item has fewer files than in an earlier run. */
export function hasFewerFiles(earlier: string, { hash }: Pick<SourceItem, 'hash'>): boolean {
  return partsOf(hash).fileCount < partsOf(earlier).fileCount;
}

/** The digest of an item of which so many files could not be stored: a later run takes them for more files. */
export function hashWithoutFiles(digest: string, count: number): string {
  const { values, fileCount } = partsOf(digest);
  return `- ${values} ${values} ${fileCount - count}`;
}

/** The digest of the same item, read with an option that changes posts. */
export function hashWithOption(digest: string, option: string): string {
  const words = digest.split(' ');
  const withOption = (hash: string) => contentName(Buffer.from(hash + option));
  return words.map((word, index) => (index < 3 ? withOption(word) : word)).join(' ');
}

function partsOf(digest: string): { all: string; own: string; values: string; fileCount: number } {
  const [all = '', own = all, values = all, count = '0'] = digest.split(' ');
  return { all, own, values, fileCount: Number(count) };
}
