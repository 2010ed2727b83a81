import type { App } from '#app/app.ts';
import { cardFolder, removeCards } from '#app/media/library/social-cards.server.ts';
import { contentOfBytes, readSmall } from '#app/media/store/content.server.ts';
import { cardHash, type Card } from './card.server.ts';

const BYTES_MAX = 1024 * 1024;

type CardApp = Pick<App, 'mediaStore' | 'log' | 'cardQueue'>;

/** The PNG of a post's card, from the media store or drawn now; null while too many others wait in the queue. */
export async function cachedCard(app: CardApp, postId: string, card: Card): Promise<Buffer | null> {
  const path = cardFolder(postId) + `${cardHash(card)}.png`;
  const read = () => readSmall(app.mediaStore, path, BYTES_MAX).catch(() => null);
  // Another request may have drawn it meanwhile.
  const draw = async () => (await read()) ?? (await drawAndKeep(app, postId, path, card));
  return (await read()) ?? (await app.cardQueue.run(draw));
}

/** When the store cannot save the card, the next request draws it again. */
async function drawAndKeep(app: CardApp, postId: string, path: string, card: Card): Promise<Buffer> {
  // `sharp` is loaded with the first card.
  const { drawCard } = await import('./draw.server.ts');
  const bytes = await drawCard(card);
  try {
    await removeCards(app.mediaStore, postId);
    await app.mediaStore.put(path, contentOfBytes(bytes));
  } catch (error) {
    app.log.warn({ err: error, path }, 'A social card could not be stored');
  }
  return bytes;
}
