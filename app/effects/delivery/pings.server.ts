import * as z from 'zod';
import type { ClaimedEffect, Outcome } from '#app/effects/outbox.server.ts';
import type { EffectApp } from '#app/effects/effect-app.ts';
import { sendRequest } from '#app/effects/send.server.ts';
import { encodePath, termPath } from '#app/posts/paths.ts';
import { slugsOfTerms } from '#app/posts/terms/find.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';

const UNWANTED: Outcome = { state: 'cancelled', reason: 'No longer needed.' };

const feedDetails = z.object({ listedIn: z.array(z.string()), terms: z.array(z.string()) });

/** Tells the WebSub hub which feeds have changed, in one request. */
export async function notifyHub(app: EffectApp, effect: ClaimedEffect): Promise<Outcome> {
  const { websub_hub: url } = await readSettings(app);
  if (url === '') return UNWANTED;
  const { listedIn, terms } = feedDetails.parse(JSON.parse(effect.details));
  const ofLists = listedIn.flatMap((list) =>
    ['rss.xml', 'atom.xml', 'feed.json'].map((file) => `${list === '' ? '' : `/${list}`}/${file}`),
  );
  const ofTerms = await termFeeds(app, terms);
  const topics = [...ofLists, ...ofTerms].map((path): [string, string] => [
    'hub.url',
    app.env.siteUrl + path,
  ]);
  return sendRequest(app, {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams([['hub.mode', 'publish'], ...topics]).toString(),
  });
}

async function termFeeds({ db }: EffectApp, ids: string[]): Promise<string[]> {
  const terms = await slugsOfTerms(db, ids);
  return terms.map(({ kind, slug }) => `${encodePath(termPath[kind](slug))}/rss.xml`);
}

const addressDetails = z.object({ paths: z.array(z.string()) });

/** Tells search engines the addresses that changed, after the protocol of indexnow.org. */
export async function notifySearchEngines(app: EffectApp, effect: ClaimedEffect): Promise<Outcome> {
  const { indexnow, indexnow_key: key } = await readSettings(app);
  if (!indexnow || key === '') return UNWANTED;
  const { siteUrl, indexNowEndpoint } = app.env;
  const { paths } = addressDetails.parse(JSON.parse(effect.details));
  return sendRequest(app, {
    method: 'POST',
    url: indexNowEndpoint,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      host: new URL(siteUrl).host,
      key,
      keyLocation: `${siteUrl}/${key}.txt`,
      urlList: paths.map((path) => siteUrl + path),
    }),
  });
}
