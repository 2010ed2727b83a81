// `npm run bench -- newsletter`: an issue for 10,000 subscribers from a server with readers, on both databases.
//   1. The 99th percentile of the wait of 200 requests a second: calm, and while 50 mails a second go out (at most 1.5).
//   2. Resident memory of the server: its peak during the last thousand mails to that during the second thousand.
// The mail server runs in the process of the bench. Other work of the machine affects both.
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeApp, createApp } from '#app/compose.server.ts';
import { pauseIssue, resumeIssue } from '#app/newsletter/issues.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { insertSubscribers } from '#tests/support/newsletter/issues.ts';
import { newsletterFields, startMoodySmtp } from '#tests/support/newsletter/moody-smtp.ts';
import { startArguments } from '#tests/support/package-scripts.ts';
import { insertPublishedBlog } from '#tests/support/published-blog.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { start, startReaders, stop, stopAll } from './http/processes.ts';
import { median } from './cpu.ts';
import { onBothDatabases, type Place } from './on-both-databases.ts';
import { report } from './report.ts';

const SUBSCRIBERS = 10_000;
const [POSTS, HOT_POSTS, RATE, SLICE_MS, PAIRS] = [1_000, 200, 200, 8_000, 3];
const CALM_RATE = '3000';

await onBothDatabases(measure).finally(stopAll);

async function measure(label: string, { folder, newDatabase }: Place): Promise<void> {
  const url = await newDatabase('newsletter');
  const place = path.join(folder, label);
  const variables = {
    DATABASE_URL: url,
    SEARCH_HOST: `file:${place}.search.db`,
    UPLOADS_DIR: place,
    AUTH_SECRET: 'bench-secret-of-more-than-32-characters',
    AUTH_URL: 'http://localhost',
    LOG_LEVEL: 'error',
  };
  await mkdir(place, { recursive: true });
  await prepareTemplate(url);
  const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
  const smtp = await startMoodySmtp();
  const slugs = await insertPublishedBlog(app, POSTS);
  await insertSubscribers(app, SUBSCRIBERS);
  await changeSettings(app, { ...newsletterFields(smtp), newsletter_per_minute: CALM_RATE });
  // Only the server sends.
  await app.effects.close();
  const server = await start(startArguments, { ...variables, HOST: '127.0.0.1' });
  const paths = slugs.slice(0, HOT_POSTS).map((slug) => `/posts/${slug}`);
  const read = async () => {
    const readers = await startReaders({ origin: server.origin, paths, rate: RATE, folder });
    await sleep(SLICE_MS);
    return (await readers.stop()).p99;
  };
  try {
    await read();
    await createPost(app, {
      editorId: null,
      intent: 'publish',
      fields: { title: 'To all', body: 'Text.\n\n'.repeat(100), sendByEmail: 'yes' },
    });
    const { id } = await app.db.newsletterIssue.findFirstOrThrow();
    const [calm, sending]: [number[], number[]] = [[], []];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      await pauseIssue(app, id);
      await sleep(2_000);
      calm.push(await read());
      await resumeIssue(app, id);
      const before = smtp.received.length;
      while (smtp.received.length === before) await sleep(100);
      sending.push(await read());
    }
    const rounds = calm.map((one, index) => `${one.toFixed(1)} → ${sending[index]!.toFixed(1)}`).join(', ');
    const ratio = median(sending.map((one, index) => one / calm[index]!));
    report(
      `${label}: p99 of readers while 50 mails a second go out, to calm`,
      ratio,
      { atMost: 1.5 },
      rounds,
    );

    await changeSettings(app, { newsletter_per_minute: '100000' });
    const peaks = [0, 0];
    const began = { at: performance.now(), mails: smtp.received.length };
    while (smtp.received.length < SUBSCRIBERS) {
      const thousand = Math.floor((smtp.received.length - began.mails) / 1_000);
      const last = smtp.received.length >= SUBSCRIBERS - 1_000;
      const rss = await residentMb(server.pid);
      if (thousand === 1) peaks[0] = Math.max(peaks[0]!, rss);
      if (last) peaks[1] = Math.max(peaks[1]!, rss);
      await sleep(100);
    }
    const perSecond = (SUBSCRIBERS - began.mails) / ((performance.now() - began.at) / 1_000);
    const detail = `${peaks.map((peak) => peak.toFixed(0)).join(' → ')} MB; ${perSecond.toFixed(0)} mails a second`;
    report(
      `${label}: memory at the last thousand mails to the second`,
      peaks[1]! / peaks[0]!,
      { atMost: 1.15 },
      detail,
    );
  } finally {
    stop(server);
    await smtp.close();
    await closeApp(app);
  }
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024;
}
