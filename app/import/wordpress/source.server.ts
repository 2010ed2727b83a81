import { pathsHere, withLinksHere } from '#app/import/addresses/links-between-posts.ts';
import { oldAddress } from '#app/import/addresses/old-address.ts';
import type { SourceTools } from '#app/import/addresses/plan.server.ts';
import { MediaFolder } from '#app/import/media/folder.server.ts';
import { isLibraryName } from '#app/import/media/library-names.ts';
import {
  type ContentSource,
  type IgnoredItem,
  type SourceFile,
  type SourceItem,
  type UnreadableItem,
  reasonToSkip,
} from '#app/import/model/post.ts';
import { hashOfItem } from '#app/import/source/item.server.ts';
import { sizeOfFile } from '#app/import/source/read-text.server.ts';
import { hiddenCount, readWordpressPost, refusalOf, type WordpressContext } from './post.ts';
import { readDatelineExport, keyOf, readContext } from './read-context.server.ts';
import { splitWxr, partsOfItem, readWxrItem, type WxrItem } from './wxr.ts';
import { findEncoding, readText } from './wxr-text.server.ts';

export interface WordpressOptions extends SourceTools {
  /** An export of the plug-in Redirection. */
  redirectsFile: string | null;
}

/**
 * A WordPress export (WXR), read twice: once for what posts refer to (authors, categories, attachments),
 * once for the posts, one after the other.
 * @throws AppError `invalid_input` when there is no such file or it is not a WordPress export.
 */
export async function openWordpressExport(file: string, options: WordpressOptions): Promise<ContentSource> {
  const size = await sizeOfFile(file);
  const encoding = await findEncoding(file);
  const context = await readContext(file, encoding, options);
  const media = await MediaFolder.open(options.mediaFolder, context.head.blogUrl, options.fetcher);
  // WordPress.com keeps files on another host.
  for (const { url } of context.attachments) media.addOwnHost(url);
  const run = new WordpressRun(context, media);
  let done = 0;
  return {
    progress: () => ({ done, total: size }),
    notes: () => [...(encoding.note ? [encoding.note] : []), ...run.notes(), ...context.redirects.notes()],
    isTruncated: () => !run.hasEnd,
    endsInItem: () => run.endsInItem,
    siteParts: () => ({ siteUrl: context.head.blogUrl, menus: context.menus.all(), pinned: run.pinned() }),
    items: () => run.items(readText(file, encoding.label, (bytes) => (done += bytes))),
  };
}

class WordpressRun {
  private readonly context: WordpressContext;
  private readonly media: MediaFolder;
  private hiddenComments = 0;
  private wholeItems = 0;
  private readonly usedFiles = new Set<string>();
  private readonly sticky: { key: string; date: string }[] = [];
  /** False for a file that is cut off; known when `items` has ended. */
  hasEnd = false;
  /** True while the last part that was read is an item without its end. */
  endsInItem = false;

  constructor(context: WordpressContext, media: MediaFolder) {
    this.context = context;
    this.media = media;
  }

  notes(): string[] {
    const notes = [];
    if (!this.hasEnd) notes.push(`The file is cut off: it ends after ${this.wholeItems} whole items.`);
    if (this.hiddenComments > 0)
      notes.push(`Comments that were not public, and pingbacks: ${this.hiddenComments} left out.`);
    return notes;
  }

  /** Sticky posts, the newest first. */
  pinned(): string[] {
    return this.sticky.sort((a, b) => b.date.localeCompare(a.date)).map(({ key }) => key);
  }

  async *items(
    text: AsyncIterable<string>,
  ): AsyncGenerator<SourceItem | SourceFile | UnreadableItem | IgnoredItem> {
    let position = 0;
    for await (const { kind, xml } of splitWxr(text)) {
      this.endsInItem = kind === 'cut';
      if (kind === 'head') continue;
      if (kind === 'end') {
        this.hasEnd = true;
        continue;
      }
      position += 1;
      if (kind !== 'cut') this.wholeItems += 1;
      const named = partsOfItem(xml);
      const key = named.id ? this.keyOf(named.id) : named.title || `item ${position}`;
      if (kind === 'cut') yield { key, reason: 'The file ends, or another item begins, inside of it.' };
      else if (kind === 'huge') yield { key, reason: 'It is too large: more than 64 million characters.' };
      else {
        const item = await this.read(xml, key);
        if (item) yield item;
      }
    }
    yield* this.unusedAttachments();
  }

  private async read(xml: string, name: string): Promise<SourceItem | UnreadableItem | IgnoredItem | null> {
    let key = name;
    try {
      const item = readWxrItem(xml);
      key = this.identityOf(item, name);
      // `unusedAttachments` returns those that no post names, which is known only at the end.
      if (item['wp:post_type'] === 'attachment') return null;
      const refusal = refusalOf(item);
      if (refusal === null) return await this.postOf(item, key);
      return 'skipped' in refusal ? { key, reason: refusal.skipped } : { key, ...refusal };
    } catch (error) {
      return { key, reason: reasonToSkip(error) };
    }
  }

  private async postOf(item: WxrItem, key: string): Promise<SourceItem> {
    const { post, warnings } = readItem(item, this.context);
    if (item['wp:is_sticky'] === '1' && post.type !== 'page' && post.status === 'published')
      this.sticky.push({ key, date: item['wp:post_date_gmt'] });
    this.hiddenComments += hiddenCount(item.comments);
    const { media, warnings: addresses } = await this.media.findAll(post.body);
    const coverUrl = post.cover;
    post.cover = coverUrl === null ? null : await this.media.findPicture(coverUrl, addresses);
    if (coverUrl !== null && post.cover === null)
      addresses.push(`The featured image ${coverUrl} was left out: it is not in a media folder.`);
    const files = [...media.map(({ file }) => file), ...(post.cover === null ? [] : [post.cover])];
    for (const file of files) this.usedFiles.add(file);
    // Not in the hash, since earlier versions did not read them: an unchanged item keeps its hash.
    const { comments: _, 'wp:is_sticky': _sticky, 'wp:menu_order': _order, ...source } = item;
    const hash = await hashOfItem(
      [source, post.author, post.category, post.tags, coverUrl, post.comments, ...this.ruledPaths(item)],
      files,
      this.media,
    );
    return { key, hash, post, media, warnings: [...warnings, ...addresses] };
  }

  /** Old paths that rules of the plug-in redirect to an item. Without any the hash is the same as without rules. */
  private ruledPaths({ link }: WxrItem): string[] {
    const path = oldAddress(link);
    return path === null ? [] : this.context.redirects.take(path);
  }

  private async *unusedAttachments(): AsyncGenerator<SourceFile | IgnoredItem> {
    for (const { id, url } of this.context.attachments) {
      const file = await this.media.find(url);
      if (file !== null && this.usedFiles.has(file)) continue;
      if (file !== null) {
        this.usedFiles.add(file);
        yield { key: this.keyOf(id), file };
        continue;
      }
      const reason = isLibraryName(url)
        ? 'Its file is not in a media folder.'
        : 'The library takes pictures, sounds, films and PDF files: no others.';
      yield { key: this.keyOf(id), ignored: { kind: 'attachment', reason } };
    }
  }

  /** A key that the item has at the next run too. Two blogs may both have a post 1. */
  private identityOf(item: WxrItem, name: string): string {
    const id = item['wp:post_id'].trim();
    return id === '' ? item.guid.trim() || item.link.trim() || name : this.keyOf(id);
  }

  private keyOf(id: string): string {
    return keyOf(this.context.head, id);
  }
}

function readItem(item: WxrItem, context: WordpressContext): ReturnType<typeof readWordpressPost> {
  const exported = readDatelineExport(item);
  if (exported === null) return readWordpressPost(item, context);
  const body = withLinksHere(exported.body, context.links, context.head.blogUrl);
  return { post: { ...exported, ...pathsHere(exported, context.links), body }, warnings: [] };
}
