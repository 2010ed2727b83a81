import { createHash } from 'node:crypto';
import { contentName } from './content-name.server.ts';
import type { SourceItem } from './source-post.ts';

/**
 * Hashes an item: its values at the source and the files that it names. The digest of an item with fetched pictures has
 * three words: the hash of all, the hash without these pictures, and their number.
 */
export class ItemHash {
  private readonly all = createHash('sha256');
  private readonly own = createHash('sha256');
  private fetchedCount = 0;

  update(part: string | Buffer): this {
    this.all.update(part);
    this.own.update(part);
    return this;
  }

  addFetched(part: string | Buffer): void {
    this.all.update(part);
    this.fetchedCount += 1;
  }

  digest(): string {
    const all = this.all.digest('hex');
    return this.fetchedCount === 0 ? all : `${all} ${this.own.digest('hex')} ${this.fetchedCount}`;
  }
}

/**
 * True when an item has not changed since an earlier run. It has not changed either when this run fetched fewer of its
 * pictures, or others: the old site may be gone, or send each picture in another quality.
 */
export function isSameItem(
  earlier: string,
  { hash, formerHash = hash }: Pick<SourceItem, 'hash' | 'formerHash'>,
): boolean {
  const [before, now] = [partsOf(earlier), partsOf(hash)];
  const isSame = (digest: string) => before.all === partsOf(digest).all;
  const hasFewerPictures = before.own === now.own && now.fetchedCount <= before.fetchedCount;
  return isSame(hash) || isSame(formerHash) || hasFewerPictures;
}

/** The digest of the same item, read with an option that changes posts. */
export function hashWithOption(digest: string, option: string): string {
  const [all, own, ...count] = digest.split(' ');
  const withOption = (hash: string) => contentName(Buffer.from(hash + option));
  return [withOption(all!), ...(own === undefined ? [] : [withOption(own)]), ...count].join(' ');
}

function partsOf(digest: string): { all: string; own: string; fetchedCount: number } {
  const [all = '', own = all, count = '0'] = digest.split(' ');
  return { all, own, fetchedCount: Number(count) };
}
