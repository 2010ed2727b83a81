import type { MediaFolder } from '#app/import/media/folder.server.ts';
import { ItemHash } from '#app/import/model/item-hash.server.ts';
import type { SourceItem } from '#app/import/model/post.ts';

/** A hash that changes with an item: with its values at the source, and with the files that it names. */
export async function hashOfItem(values: unknown[], files: string[], folder: MediaFolder): Promise<string> {
  const hash = new ItemHash().update(JSON.stringify(values));
  for (const file of files) hash.addFile(await folder.hash(file), { isFetched: folder.isFetched(file) });
  return hash.digest();
}

/** A post that was read. */
export interface ReadPost extends Pick<SourceItem, 'post' | 'warnings'> {
  /** Its text with the links of the source. */
  written: string;
}

/** A post that was read, with the files that its text names. */
export async function itemOfPost(
  key: string,
  { post, warnings, written }: ReadPost,
  folder: MediaFolder,
): Promise<SourceItem> {
  const { media, warnings: missing } = await folder.findAll(post.body);
  const files = media.map(({ file }) => file);
  // The addresses of linked posts here change without the source.
  const hash = await hashOfItem([{ ...post, body: written }], files, folder);
  const formerHash = await hashOfItem([post], files, folder);
  return { key, hash, formerHash, post, media, warnings: [...warnings, ...missing] };
}
