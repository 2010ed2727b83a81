import * as z from 'zod';
import type { ClaimedEffect, Outcome } from '#app/effects/outbox.server.ts';
import type { EffectApp } from '#app/effects/effect-app.ts';
import { sendRequest } from '#app/effects/send.server.ts';
import type { OutboundRequest } from '#app/platform/http/outbound.server.ts';
import { purgedNames, termName } from '#app/platform/http/surrogate-keys.server.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import { slugsOfTerms } from '#app/posts/terms/find.server.ts';
import type { PurgeForm } from '#app/settings/groups/delivery.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { decryptSecret } from '#app/settings/secrets.server.ts';

/** Requests for one change; one of more keys purges everything. */
const REQUESTS_MAX = 3;
const purgeDetails = z.object({ keys: z.array(z.string()) });

interface Form {
  /** Keys of one request. */
  max: number;
  /** What the vendor's documentation asks for. */
  request: (names: string[], token: string) => Omit<OutboundRequest, 'url'>;
}

const forms: Record<Exclude<PurgeForm, 'off'>, Form> = {
  fastly: {
    max: 256,
    request: (names, token) => ({
      method: 'POST',
      headers: { 'Fastly-Key': token, 'Surrogate-Key': names.join(' '), Accept: 'application/json' },
    }),
  },
  cloudflare: {
    max: 30,
    request: (names, token) => ({
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tags: names }),
    }),
  },
  xkey: {
    // A header of Varnish has up to 8 KB.
    max: 100,
    request: (names, token) => ({
      method: 'PURGE',
      headers: { 'xkey-purge': names.join(' '), ...(token !== '' && { Authorization: `Bearer ${token}` }) },
    }),
  },
};

/** Tells the cache in front which pages a change made stale. */
export async function sendPurge(app: EffectApp, effect: ClaimedEffect): Promise<Outcome> {
  const { cache_keys, purge_form, purge_url } = await readSettings(app);
  if (!cache_keys || purge_form === 'off' || purge_url === '')
    return { state: 'cancelled', reason: 'No longer needed.' };
  const { keys } = purgeDetails.parse(JSON.parse(effect.details));
  const names = [...purgedNames(keys), ...(await termNames(app, keys))];
  const { max, request } = forms[purge_form];
  const chunks = names.length > max * REQUESTS_MAX ? [purgedNames(['*'])] : inChunks(names, max);
  const token = await readToken(app);
  for (const chunk of chunks) {
    const outcome = await sendRequest(app, { ...request(chunk, token), url: purge_url });
    if (outcome.state !== 'done') return outcome;
  }
  return { state: 'done' };
}

/** The names of the categories and tags whose lists changed. */
async function termNames({ db }: EffectApp, keys: readonly string[]): Promise<string[]> {
  const ids = keys.flatMap((key) => /^list:([0-9a-f-]{36})$/.exec(key)?.[1] ?? []);
  const terms = ids.length === 0 ? [] : await slugsOfTerms(db, ids);
  return terms.map(({ kind, slug }) => termName(kind, encodeURIComponent(slug)));
}

async function readToken({ db, env }: EffectApp): Promise<string> {
  const row = await db.setting.findUnique({ where: { key: 'purge_token' } });
  return row?.value ? decryptSecret(row.value, env.authSecret) : '';
}
