import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { resolveAuthors } from '#app/publishing/post-row/tags-and-authors.server.ts';
import { cardOf } from '#app/site/cards/card.server.ts';

/** The texts of a card. The post need not be saved. */
interface CardWords {
  title: string;
  /** Display names, one per line. */
  authors: string;
}

/**
 * The address of the card: the drawn picture of a post without a cover. Null for a title that the fonts cannot show.
 * @param creator the display name of the post's creator, who is the author if the fields name none
 */
export async function cardPreviewAddress(
  { app, adminContext }: Pick<ScreenArguments, 'app' | 'adminContext'>,
  fields: PostFields,
  creator: string,
): Promise<string | null> {
  const words = { title: fields.title, authors: await bylineOf(app, fields, creator) };
  if ((await cardFor(app, words)) === null) return null;
  return `${adminUrl(adminContext.adminPath, 'card-preview')}?${new URLSearchParams({ ...words })}`;
}

/** The card for a title and authors in the query, as PNG. */
export async function load({ app, request }: ScreenArguments): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const [title, authors] = [searchParams.get('title') ?? '', searchParams.get('authors') ?? ''];
  const card = await cardFor(app, { title, authors });
  if (!card) throw new AppError('not_found', 'No card can be drawn for this title.');
  // `sharp` is loaded with the first card.
  const { drawCard } = await import('#app/site/cards/draw.server.ts');
  const picture = await app.cardQueue.run(() => drawCard(card));
  if (!picture)
    throw new AppError('unavailable', 'Too many images are waiting to be drawn.', { retryAfter: 10 });
  return new Response(new Uint8Array(picture), { headers: { 'Content-Type': 'image/png' } });
}

function cardFor(app: ScreenArguments['app'], { title, authors }: CardWords) {
  const names = authors.split('\n').filter((name) => name !== '');
  const named = names.map((displayName) => ({ username: null, displayName }));
  return cardOf(app, { title, authors: named, cover: null, listedIn: '' });
}

/** The display names of the authors that readers would see, one per line. */
async function bylineOf(
  app: ScreenArguments['app'],
  { type, authors }: PostFields,
  creator: string,
): Promise<string> {
  if (type === 'page') return '';
  if (authors.length === 0) return creator;
  return (await resolveAuthors(app.db, authors)).map(({ displayName }) => displayName).join('\n');
}
