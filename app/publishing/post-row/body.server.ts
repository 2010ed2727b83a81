import * as z from 'zod';
import { mediaLimits } from '#app/media/encode/limits.ts';
import { type MediaApp, storeMedia } from '#app/media/library/store-media.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { chunksOfWeb } from '#app/platform/files/chunks.ts';
import { parseJson } from '#app/platform/json.ts';
import type { Configured, Logged } from '#app/platform/services.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { embedCandidates } from '#app/posts/markdown/embed-candidates.ts';
import {
  type Embeds,
  embedAddress,
  embedDetailsSchema,
  type EmbedAddress,
  type EmbedDetails,
} from '#app/posts/markdown/embeds.ts';
import { plainText, shorten } from '#app/posts/markdown/excerpt.ts';
import type { OwnImages, RenderedMarkdown, Rendering } from '#app/posts/markdown/render.server.ts';
import { offerAvif, publicImage, type PublicImage } from '#app/posts/pictures/public-image.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';

interface RenderContext extends Configured, Rendering {
  db: Pick<Transaction, 'media' | 'setting' | 'embed'>;
  /** Absent: they are read. */
  settings?: Settings;
}

/** A body as a post has it, and its language. */
type BodySource = Pick<PostFields, 'body' | 'language'>;

/** A rendered body, and what it was rendered from. */
export interface RenderedBody extends RenderedMarkdown, BodySource {}

/** If a text names more uploads, the others get no sizes. */
const IMAGES_MAX = 2_000;

/**
 * Renders a post's body for this site: the site's images get their sizes and copies, links to other sites are marked.
 * @param language the post's own, BCP 47; `''` for the site's
 */
export async function renderBody(app: RenderContext, body: string, language = ''): Promise<RenderedBody> {
  const pictures = await readOwnPictures(app, body);
  const settings = app.settings ?? (await readSettings(app));
  const { site_language: siteLanguage, smart_typography: smartTypography } = settings;
  const rendered = await app.workers.renderMarkdown(body, {
    siteUrl: app.env.siteUrl,
    ownImages: factsOf(pictures),
    embeds: await readEmbeds(app, body, settings),
    language: language || siteLanguage,
    smartTypography,
  });
  return { ...rendered, html: offerAvif(rendered.html, pictures), body, language };
}

/**
 * Renders the body of an existing post for a change, before its transaction. Undefined if the change leaves it as it is.
 */
export async function renderChangedBody(
  app: RenderContext & { db: Pick<Transaction, 'post'> },
  postId: string,
  { body, language }: Partial<BodySource>,
): Promise<RenderedBody | undefined> {
  if (body === undefined && language === undefined) return undefined;
  const settings = app.settings ?? (await readSettings(app));
  const context = { ...app, settings };
  if (body !== undefined && (language !== undefined || !followsLanguage(body, settings)))
    return renderBody(context, body, language);
  const where = { id: postId };
  const live = await app.db.post.findUnique({ where, select: { body: true, language: true } });
  if (!live) return undefined;
  const source = { body: body ?? live.body, language: language ?? live.language };
  if (body === undefined && !looksDifferent(live, source, settings)) return undefined;
  return renderBody(context, source.body, source.language);
}

/**
 * The rendered body for a write of a post. Undefined if it stays as it is. Renders it within the transaction if
 * `rendered` is absent, or is of another text or language because somebody saved the post meanwhile.
 */
export async function renderRequestedBody(
  app: RenderContext & { settings: Settings },
  { before, requested, rendered }: { before: BodySource; requested: BodySource; rendered?: RenderedBody },
): Promise<RenderedBody | undefined> {
  if (rendered && !looksDifferent(rendered, requested, app.settings)) return rendered;
  if (!looksDifferent(before, requested, app.settings)) return undefined;
  return renderBody(app, requested.body, requested.language);
}

function looksDifferent(a: BodySource, b: BodySource, settings: Settings): boolean {
  return a.body !== b.body || (a.language !== b.language && followsLanguage(a.body, settings));
}

/** Most texts are rendered in the same way in every language: only call-outs and typography follow it. */
function followsLanguage(body: string, settings: Settings): boolean {
  return settings.smart_typography || body.includes('[!');
}

async function readOwnPictures({ db }: RenderContext, markdown: string): Promise<PublicImage[]> {
  const paths = new Set<string>();
  for (const [, path] of markdown.matchAll(/\/uploads\/([\w./-]{1,200})/g)) {
    paths.add(path!);
    if (paths.size === IMAGES_MAX) break;
  }
  if (paths.size === 0) return [];
  const rows = await db.media.findMany({ where: { path: { in: [...paths] } } });
  return rows.map((row) => publicImage(row));
}

function factsOf(pictures: PublicImage[]): OwnImages {
  return new Map(
    pictures.flatMap(({ src, width, height, srcSet, color }) =>
      width && height ? [[src, { width, height, srcSet, color }] as const] : [],
    ),
  );
}

/** Time limit for all providers of a text together. */
const FETCH_MS = 3_000;
/** After this time, a save asks a provider again that did not answer. */
const RETRY_MS = 10 * 60_000;

type EmbedApp = MediaApp & Logged;

/**
 * Asks the providers of the films, maps and posts whose addresses are alone on a line of a text, each once. Stores the
 * answers for all later renderings. Never throws: an address without an answer stays a link.
 */
export async function rememberEmbeds(app: EmbedApp, markdown: string, settings: Settings): Promise<void> {
  const embeds = embedsOf(markdown, settings);
  if (embeds.length === 0) return;
  const now = app.clock.now();
  const stored = await app.db.embed.findMany({ where: { url: { in: embeds.map(({ url }) => url) } } });
  const cached = new Set(
    stored
      .filter(({ details, fetchedAt }) => details !== '' || now.getTime() - fetchedAt.getTime() < RETRY_MS)
      .map(({ url }) => url),
  );
  const signal = AbortSignal.timeout(FETCH_MS);
  await Promise.all(
    embeds
      .filter(({ url }) => !cached.has(url))
      .map(async ({ url, embed }) => {
        const details = await fetchEmbed(app, embed, signal).catch((error: unknown) => {
          app.log.info({ url, reason: messageOf(error) }, 'An embedded address gave no preview');
          return null;
        });
        const row = { details: details ? JSON.stringify(details) : '', fetchedAt: now };
        await app.db.embed.upsert({ where: { url }, create: { url, ...row }, update: row });
      }),
  );
}

/** The stored details of the addresses that are alone on a line of a text, on hosts that the site allows. */
export async function readEmbeds(
  { db }: { db: Pick<Transaction, 'embed'> },
  markdown: string,
  settings: Settings,
): Promise<Embeds | undefined> {
  const urls = embedsOf(markdown, settings).map(({ url }) => url);
  if (urls.length === 0) return undefined;
  const rows = await db.embed.findMany({ where: { url: { in: urls }, details: { not: '' } } });
  return new Map(
    rows.flatMap(({ url, details }) => {
      const { data } = embedDetailsSchema.safeParse(parseJson(details));
      return data ? [[url, data] as const] : [];
    }),
  );
}

function embedsOf(markdown: string, { embed_hosts: hosts }: Settings) {
  return embedCandidates(markdown).flatMap((url) => {
    const embed = embedAddress(url, hosts);
    return embed ? [{ url, embed }] : [];
  });
}

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
async function fetchEmbed(
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
