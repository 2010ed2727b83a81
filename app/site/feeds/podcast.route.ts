import { readPodcast, renderPodcast } from '#app/feeds/podcast.server.ts';
import { readOnly } from '#app/platform/http/responses.ts';
import { serveTermFeed } from './serve.server.ts';

/** A category's show: its posts that hold an audio file. */
export const loader = serveTermFeed(async (app, slug, { selfUrl, listedIn }) => {
  const show = await readPodcast(app, slug, listedIn);
  return show && renderPodcast(show, selfUrl);
});

export const action = readOnly;
