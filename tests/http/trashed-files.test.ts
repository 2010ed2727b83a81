// Contract, section 8: the address of a file in the trash answers 404, also below every view of the site.
import { beforeAll, describe, expect, it } from 'vitest';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import type { TestApp } from '#tests/support/app.ts';
import type { Client } from '#tests/support/http-client.ts';
import { picture } from '#tests/support/images.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';

const json = { accept: 'application/json' };
const DAY = 24 * 60 * 60 * 1000;

let app: TestApp;
let server: TestServer;
let editor: Client;
let reader: Client;
let media: { id: string; path: string; variants: string };
/** What addresses begin with: of readers, yesterday, tomorrow, and of the backend's views. */
let places: Record<string, { base: string; client: Client }>;

beforeAll(async () => {
  ({ app, server, editor } = await openSite());
  reader = server.client();
  const upload = new FormData();
  upload.append('file', new Blob([new Uint8Array(await picture({ seed: 5 }))]), 'secret.jpg');
  expect((await editor.upload('/admin/media', upload)).status).toBe(302);
  media = await app.db.media.findFirstOrThrow();
  places = {
    'the site': { base: '', client: reader },
    'the site of yesterday': { base: await openAt(-DAY), client: reader },
    'the site of tomorrow': { base: await openAt(DAY), client: reader },
    'the site in the backend': { base: '/admin/site', client: editor },
    'the draft of the appearance': { base: '/admin/appearance/preview', client: editor },
  };
});

async function openAt(fromNow: number): Promise<string> {
  const at = toLocalTime(new Date(Date.now() + fromNow), 'UTC');
  const answer = await editor.post('/admin/time', { at, intent: 'open' }, json);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<{ location: string }>().location.replace(/\/$/, '');
}

const files = () => [
  media.path,
  ...(JSON.parse(media.variants) as { path: string }[]).map(({ path }) => path),
];

async function statuses(place: string, headers = {}): Promise<number[]> {
  const { base, client } = places[place]!;
  const answers: number[] = [];
  for (const file of files())
    for (const method of ['GET', 'HEAD'])
      answers.push((await client.send(method, `${base}/uploads/${file}`, headers)).status);
  return [...new Set(answers)];
}

const names = [
  'the site',
  'the site of yesterday',
  'the site of tomorrow',
  'the site in the backend',
  'the draft of the appearance',
];

describe.each(names)('a file at its address below %s', (place) => {
  it('is served while it is in the library', async () => {
    expect(await statuses(place)).toEqual([200]);
  });

  it('is not found while it is in the trash, nor is a part of it, and is found again afterwards', async () => {
    expect((await editor.post(`/admin/media/${media.id}`, { intent: 'delete' }, json)).status).toBe(200);
    const { base, client } = places[place]!;
    expect(await statuses(place)).toEqual([404]);
    expect(await statuses(place, { range: 'bytes=0-9' })).toEqual([404]);
    const encoded = media.path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    expect((await client.get(`${base}/uploads/${encoded}`)).status).toBe(404);
    const back = { id: media.id, kind: 'media', intent: 'restore' };
    expect((await editor.post('/admin/trash', back, json)).status).toBe(200);
    expect(await statuses(place)).toEqual([200]);
  });
});
