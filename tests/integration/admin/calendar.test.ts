// The calendar reads the first posts of each day, and all posts of one day in pages.
import { expect, it } from 'vitest';
import { readEntries, readMonth, type Entry } from '#app/admin/calendar/calendar.server.ts';
import { describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { createPost, createUser } from '#tests/support/factories.ts';

const MOST = 5;
const PAGE = 7;
const HOUR = 3_600_000;
const first = Date.UTC(2030, 4, 1);
const days = Array.from({ length: 8 }, (_, index) => ({
  date: new Date(first + index * 24 * HOUR).toISOString().slice(0, 10),
  from: new Date(first + index * 24 * HOUR),
  to: new Date(first + (index + 1) * 24 * HOUR),
}));
/** Posts of each day: none, all that are shown, one more, more than a query reads, and again few. */
const counts = [0, MOST, MOST + 1, 120, 3, 0, 49, 2];

const keyOf = ({ id, time, isUpdate }: Entry) => `${time.toISOString()} ${id} ${Boolean(isUpdate)}`;

describeWithOneApp('the calendar', (getApp) => {
  let all: Entry[] | undefined;
  const entries = async () => (all ??= await write(getApp()));

  it('reads the first posts and updates of each day, and counts the others', async () => {
    const written = await entries();
    const read = await readMonth(getApp().db, {}, days, MOST);
    expect(read.map(({ date }) => date)).toEqual(days.map(({ date }) => date));
    for (const [index, day] of days.entries()) {
      const ofDay = written.filter(({ time }) => time >= day.from && time < day.to);
      expect(read[index]!.entries.map(keyOf)).toEqual(ofDay.slice(0, MOST).map(keyOf));
      expect(read[index]!.more).toBe(Math.max(0, ofDay.length - MOST));
    }
  });

  it('reads all of a day in pages, also those of the same minute', async () => {
    const day = days[3]!;
    const ofDay = (await entries()).filter(({ time }) => time >= day.from && time < day.to);
    const found: Entry[] = [];
    for (;;) {
      const last = found.at(-1);
      const start = last ? { from: last.time, afterId: last.id } : { from: day.from };
      const page = await readEntries(getApp().db, {}, { ...start, to: day.to }, PAGE);
      found.push(...page);
      if (page.length < PAGE) break;
    }
    expect(found.map(keyOf)).toEqual(ofDay.map(keyOf));
  });

  it('shows a writer their own posts only', async () => {
    await entries();
    const { id: authorId } = await createUser(getApp());
    const own = await createPost(getApp(), { status: 'scheduled', publishedAt: days[3]!.from, authorId });
    const read = await readMonth(getApp().db, { authorId }, days, MOST);
    expect(read.flatMap((day) => day.entries.map(({ id }) => id))).toEqual([own.id]);
    expect(read.every(({ more }) => more === 0)).toBe(true);
    await getApp().db.post.delete({ where: { id: own.id } });
  });
});

/** Writes the days' posts. Three of each ten have the same time, and every tenth is an update of a published post. */
async function write(app: TestApp): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const [index, count] of counts.entries())
    for (let number = 0; number < count; number += 1) {
      const time = new Date(days[index]!.from.getTime() + Math.floor(number / 3) * 60_000);
      const isUpdate = number % 10 === 9;
      const status = isUpdate || number % 2 === 0 ? 'published' : 'scheduled';
      const publishedAt = isUpdate ? new Date(0) : time;
      const { id, title, version } = await createPost(app, { status, publishedAt });
      if (isUpdate)
        await app.db.scheduledUpdate.create({
          data: { postId: id, fields: '{}', dueAt: time, createdAt: app.clock.now() },
        });
      entries.push({
        id,
        title,
        version,
        time,
        ...(isUpdate ? { status: 'scheduled', isUpdate } : { status }),
      });
    }
  await createPost(app, { status: 'draft', publishedAt: days[3]!.from });
  return entries.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
