import type { MediaStore } from '#app/media/store/media-store.ts';

/** The folder of a post's social cards. Only their route serves them, since it knows which posts are public. */
export function cardFolder(postId: string): string {
  return `.cards/${postId}/`;
}

/** Removes the cards that were drawn for a post. @throws what the store throws */
export async function removeCards(store: MediaStore, postId: string): Promise<void> {
  for await (const { path } of store.list(cardFolder(postId))) await store.delete(path);
}
