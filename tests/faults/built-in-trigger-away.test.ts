// Issue 60: cron and route off, the servers away for 20 minutes. One alert by mail and one by webhook within a minute of
// their return, and one when it is over. A clock that is set forth and back by an hour changes nothing of that.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { firstDialect } from '#tests/support/databases.ts';
import { createPost } from '#tests/support/factories.ts';
import { startReceiver } from '#tests/support/processes/webhook-receiver.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { smtpFields, startSmtp } from '#tests/support/smtp.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const preload = pathToFileURL(path.join(projectRoot, 'tests/support/processes/shifted-clock.mjs')).href;

it.each(firstDialect('sqlite'))('servers that were away (%s)', { timeout: 10 * MINUTE }, async (dialect) => {
  const [receiver, smtp] = [await startReceiver(), await startSmtp()];
  const variables = { OUTBOUND_ALLOW: '127.0.0.1' };
  const app = await createTestApp({ dialect, now: new Date(), variables });
  const file = path.join(await tempFolder(), 'shift');
  let shift = 0;
  const setClock = (milliseconds: number) => writeFile(file, String((shift = milliseconds)));
  const now = () => Date.now() + shift;
  await setClock(0);
  const env = { ...app.variables, CLOCK_SHIFT: file, NODE_OPTIONS: `--import ${preload}`, LOG_LEVEL: 'warn' };
  const start = () => Promise.all([1, 2].map(() => startServer({ env })));
  const stop = (servers: TestServer[]) => Promise.all(servers.map((server) => server.stop()));
  const { intent: _intent, ...mail } = smtpFields(smtp);
  const alerts = { alert_email: 'ops@example.org', alert_webhook: receiver.url };
  await changeSettings(app, { ...mail, ...alerts, built_in_trigger: 'yes' });

  const schedule = (time: number) => createPost(app, { status: 'scheduled', publishedAt: new Date(time) });
  const scheduled = () =>
    app.db.post.count({ where: { status: 'scheduled', publishedAt: { lt: new Date(now()) } } });
  /** @returns after how many milliseconds it was so */
  const until = async (isTrue: () => Promise<boolean> | boolean, within: number) => {
    const begun = performance.now();
    while (!(await isTrue())) {
      if (performance.now() - begun > within) throw new Error(`Not within ${within} ms.`);
      await sleep(50);
    }
    return performance.now() - begun;
  };
  const isPublishedInTime = async () => {
    const time = now() + 2 * SECOND;
    const { id } = await schedule(time);
    const isPublished = async () => (await app.db.post.findUnique({ where: { id } }))?.status === 'published';
    await until(isPublished, 10 * SECOND);
    expect(now() - time, 'milliseconds late').toBeLessThan(2_500);
  };
  const hooks = () => receiver.received.map(({ json }) => `${json.type} ${String(json.data.cause)}`);
  const mails = () => smtp.messages.map(({ text }) => (text.includes('] over: ') ? 'over' : 'alert'));
  try {
    const before = await start();
    await isPublishedInTime();
    await stop(before);
    await schedule(now() + MINUTE);
    await setClock(21 * MINUTE);
    const after = await start();
    const raised = await until(() => hooks().length > 0 && mails().length > 0, MINUTE);
    expect(await until(async () => (await scheduled()) === 0, MINUTE)).toBeLessThan(MINUTE);
    const over = await until(() => hooks().length > 1 && mails().length > 1, 2 * MINUTE);
    process.stdout.write(
      `${dialect}: told after ${Math.round(raised)} ms, over ${Math.round(over)} ms later\n`,
    );
    // Something that stays scheduled, so that a silent trigger would be seen.
    await schedule(now() + 30 * 24 * HOUR);
    for (const wrong of [HOUR, 0, -HOUR, 0]) {
      await setClock(21 * MINUTE + wrong);
      await isPublishedInTime();
      await sleep(35 * SECOND);
    }
    expect(hooks()).toEqual(['alert.raised publishing_late', 'alert.over publishing_late']);
    expect(mails()).toEqual(['alert', 'over']);
    expect((await stop(after)).every((code) => code === 0)).toBe(true);
  } finally {
    await Promise.all([receiver.close(), smtp.close()]);
    await app.close();
  }
});
