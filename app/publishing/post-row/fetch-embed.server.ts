import * as z from 'zod';
import { mediaLimits } from '#app/media/encode/limits.ts';
import { storeMedia, type MediaApp } from '#app/media/library/store-media.server.ts';
import { chunksOfWeb } from '#app/platform/files/chunks.ts';
import type { EmbedAddress, EmbedDetails } from '#app/posts/markdown/embeds.ts';
import { plainText, shorten } from '#app/posts/markdown/excerpt.ts';

const ANSWER_BYTES = 500_000;

const oembedSchema = z.object({
  title: z.string().default(''),
  author_name: z.string().default(''),
  thumbnail_url: z.string().optional(),
});
const mastodonSchema = z.object({
  content: z.string(),
  account: z.object({ display_name: z.string(), acct: z.string() }),
});
const blueskySchema = z.object({
  thread: z.object({
    post: z.object({
      author: z.object({ displayName: z.string().default(''), handle: z.string() }),
      record: z.object({ text: z.string() }),
    }),
  }),
});

/**
 * Reads the title and picture of an embed from its provider. Stores the picture in the media library.
 * @returns null when the provider has nothing to show
 * @throws when the provider does not answer in time or redirects elsewhere
 */
export async function fetchEmbed(
  app: MediaApp,
  embed: EmbedAddress,
  signal: AbortSignal,
): Promise<EmbedDetails | null> {
  const { provider, source, frame } = embed;
  const none = { provider, author: '', text: '', frame, picture: null };
  if (!source) return { ...none, title: embed.title };
  const answer: unknown = JSON.parse((await download(source.url, ANSWER_BYTES, signal)).toString('utf8'));
  if (source.form === 'mastodon') {
    const { content, account } = mastodonSchema.parse(answer);
    const paragraphs = content.split(/<\/p>/i).map((part) => plainText(part.replace(/<br\s*\/?>/gi, ' ')));
    return post(account.display_name || account.acct, paragraphs.filter(Boolean).join('\n\n'));
  }
  if (source.form === 'bluesky') {
    const { author, record } = blueskySchema.parse(answer).thread.post;
    return post(author.displayName || author.handle, record.text);
  }
  const { title, author_name: author, thumbnail_url: thumbnail } = oembedSchema.parse(answer);
  if (title.trim() === '') return null;
  // The embed also works without a picture.
  const picture = await storePicture(thumbnail).catch(() => null);
  return { ...none, title: line(title), author: line(author), picture };

  function post(by: string, words: string): EmbedDetails | null {
    return words.trim() === '' ? null : { ...none, title: '', author: line(by), text: shorten(words, 2_000) };
  }

  async function storePicture(address: string | undefined): Promise<EmbedDetails['picture']> {
    if (!address || !URL.canParse(address)) return null;
    const url = new URL(address);
    if (url.protocol !== 'https:' || url.port !== '' || !embed.pictureHosts?.test(url.hostname)) return null;
    const bytes = await download(url.href, mediaLimits.fileBytes / 5, signal);
    const media = await storeMedia(app, { bytes, originalName: `${provider} preview`, uploadedById: null });
    return { src: `/uploads/${media.path}`, width: media.width ?? 16, height: media.height ?? 9 };
  }
}

/** Downloads an address. Does not follow redirects to other hosts. */
async function download(url: string, limit: number, signal: AbortSignal): Promise<Buffer> {
  const answer = await fetch(url, {
    signal,
    redirect: 'error',
    headers: { Accept: 'application/json, image/*' },
  });
  if (!answer.ok || !answer.body) throw new Error(`The provider answered ${answer.status}.`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunksOfWeb(answer.body)) {
    size += part.length;
    if (size > limit) throw new Error('The provider’s answer is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function line(value: string): string {
  return shorten(value.replace(/\s+/g, ' ').trim(), 300);
}
