import type { MediaApp } from '#app/media/library/store-media.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { parseJson } from '#app/platform/json.ts';
import type { Logged } from '#app/platform/services.ts';
import { embedCandidates } from '#app/posts/markdown/embed-candidates.ts';
import type { Embeds } from '#app/posts/markdown/embed-lines.ts';
import { embedAddress, embedDetailsSchema } from '#app/posts/markdown/embeds.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { fetchEmbed } from './fetch-embed.server.ts';

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
