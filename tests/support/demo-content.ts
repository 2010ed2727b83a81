// The content of browser tests and screenshots.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { App } from '#app/app.ts';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createCategory, createMedia, createPost, createTag, createUser } from './factories.ts';

export const editorLogin = { email: 'ada@example.org', password: 'a-long-password' };

const DAY_MS = 24 * 3_600_000;

const headlines = [
  'The harbour lights come back on',
  'Why the night train is full again',
  'A field guide to city trees',
  'Notes from the council’s longest sitting',
  'What the river tells the bridge',
  'Bread, salt, and forty years of mornings',
  'The archive that nobody had catalogued',
  'Small radios, large distances',
  'A winter without the ferry',
  'How to read a tide table',
  'The last typesetter on Mill Street',
  'Letters to a lighthouse',
];
export const paragraphs = [
  'The first boat comes in before the light does. You hear it before you see it: a low hum, then the bump of rubber against the quay, then voices that have been awake for hours.',
  'Nobody planned it that way. The timetable was written for another century, and for another coast, and yet it holds.',
  '## What changed\n\nThree things, said the harbour master, and counted them on one hand: **the price of ice**, the school bus, and the way people look at the sea.',
  '> We never measured it. We only knew when it was gone.\n\nShe laughed when she said it, and then she did not.',
  '- the old pier, closed since March\n- the new one, open since yesterday\n- the one that everybody uses',
];

/** Three people, categories, tags, pictures, and posts of every state around `now`. */
export async function createDemoContent(app: App, now = app.clock.now()) {
  const ada = await createAdministrator(app, {
    ...editorLogin,
    username: 'ada',
    displayName: 'Ada Lindqvist',
  });
  const sam = await createUser(app, { username: 'sam', displayName: 'Samuel Okoro', role: 'editor' });
  const categories = await Promise.all(
    ['Harbour', 'City', 'Essays'].map((name) => createCategory(app, { name, slug: name.toLowerCase() })),
  );
  const tags = await Promise.all(
    ['Sea', 'Trains', 'Winter', 'Bread'].map((name) => createTag(app, { name, slug: name.toLowerCase() })),
  );
  const media = await Promise.all([0, 1, 2, 3, 4].map((number) => addPicture(app, number)));
  const at = (days: number, hour = 8) =>
    new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + days * DAY_MS + hour * 3_600_000);
  const add = (number: number, status: string, publishedAt: Date | null, title?: string) =>
    createPost(app, {
      slug: `story-${number}`,
      title: title ?? headlines[number % headlines.length]!,
      excerpt: number % 3 === 0 ? 'What happens on the quay before the city wakes, and who pays for it.' : '',
      body: paragraphs.slice(0, 2 + (number % 4)).join('\n\n'),
      status,
      publishedAt,
      authorId: number % 3 === 0 ? sam.id : ada.id,
      categoryId: categories[number % 3]!.id,
      tagIds: [tags[number % 4]!.id],
      coverMediaId: number % 2 === 0 ? media[number % 5]!.id : null,
      createdAt: at(-(number % 90)),
      updatedAt: at(-(number % 60), 9 + (number % 8)),
      hasBeenPublic: status === 'published',
    });
  let number = 0;
  for (let month = 0; month < 12; month += 1)
    for (let index = 0; index < 2 + ((month * 7) % 5); index += 1)
      await add((number += 1), 'published', at(-(month * 30 + index * 4 + 1), 6 + (index % 10)));
  for (const [index, days] of [1, 2, 4, 9, 13, 20].entries())
    await add((number += 1), 'scheduled', at(days, 7 + index), `${headlines[index]!}, part two`);
  for (const title of ['An idea about fog', 'Interview: the bell founder', 'Untitled'])
    await add((number += 1), 'draft', null, title);
  await add((number += 1), 'archived', at(-200), 'The old timetable');
  return { ada, sam, categories, tags, media };
}

async function addPicture(app: App, number: number) {
  const name = `2026/11/picture-${number}.webp`;
  const file = path.join(app.env.uploadsDir, name);
  await mkdir(path.dirname(file), { recursive: true });
  const colours = ['#7a8ba3', '#b58463', '#5f7d6a', '#8a6f8e', '#c2a25c'];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640"><rect width="960" height="640" fill="${colours[number]}"/><circle cx="${200 + number * 130}" cy="220" r="110" fill="#f4efe4" fill-opacity=".8"/><path d="M0 460q240-90 480 0t480 0v180H0z" fill="#20303c" fill-opacity=".55"/></svg>`;
  const { size } = await sharp(Buffer.from(svg)).webp().toFile(file);
  return createMedia(app, {
    path: name,
    originalName: `harbour-${number}.jpg`,
    alt: 'Morning over the harbour',
    width: 960,
    height: 640,
    bytes: size,
  });
}
