// `npm run bench -- effects`: processor time of a save with ten webhooks against one without, on both databases, in turns.
// Carrying the messages out comes after the answer and is not part of it.
import path from 'node:path';
import { closeApp, createApp } from '#app/compose.server.ts';
import { eventTypes } from '#app/effects/events.ts';
import { createWebhook } from '#app/effects/webhooks/save.server.ts';
import { systemClock } from '#app/platform/clock.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { median } from './cpu.ts';
import { onBothDatabases, type Place } from './on-both-databases.ts';
import { report } from './report.ts';

const [ROUNDS, SAVES, WEBHOOKS] = [3, 150, 10];
const BODY = 'Lorem ipsum dolor sit amet, consetetur sadipscing elitr.\n\n'.repeat(20);

await onBothDatabases(measure);

async function measure(label: string, place: Place): Promise<void> {
  const sides = [
    await openSite(`${label}-without`, 0, place),
    await openSite(`${label}-with`, WEBHOOKS, place),
  ];
  try {
    // The first saves also load what they need.
    for (const site of sides) await site.save();
    const costs: [number, number][] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      costs.push([await sides[0]!.save(), await sides[1]!.save()]);
    const added = costs.map(([without, withAll]) => withAll - without);
    const detail = costs
      .map(([without, withAll]) => `${without.toFixed(1)} → ${withAll.toFixed(1)}`)
      .join(', ');
    const what = `${label}: a save with ${WEBHOOKS} webhooks, added processor time (ms)`;
    report(what, median(added), { atMost: 2 }, detail);
  } finally {
    for (const { close } of sides) await close();
  }
}

async function openSite(name: string, webhooks: number, { folder, newDatabase }: Place) {
  const url = await newDatabase(name.toLowerCase().replace(/\W/g, '_'));
  await prepareTemplate(url);
  const variables = {
    DATABASE_URL: url,
    SEARCH_HOST: `file:${path.join(folder, `${name}.search.db`)}`,
    UPLOADS_DIR: path.join(folder, name),
    AUTH_SECRET: 'bench-secret-of-more-than-32-characters',
    AUTH_URL: 'https://blog.example.org',
    OUTBOUND_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'silent',
  };
  const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr', clock: systemClock });
  // Nobody listens there, and nobody sends.
  for (let number = 0; number < webhooks; number += 1)
    await createWebhook(app, { name: `${number}`, url: 'http://127.0.0.1:9/', events: [...eventTypes] });
  await app.effects.close();
  const { id: postId } = await createPost(app, {
    ...{ editorId: null, intent: 'publish', fields: { title: 'A post', body: BODY } },
  });
  let version = 1;
  return {
    /** @returns milliseconds of processor time of one save */
    async save(): Promise<number> {
      const before = process.cpuUsage();
      for (let save = 0; save < SAVES; save += 1) {
        const fields = { body: `Version ${version}.\n\n${BODY}` };
        await editPost(app, { editorId: null, postId, version, intent: 'save', fields });
        version += 1;
      }
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 / SAVES;
    },
    close: () => closeApp(app),
  };
}
