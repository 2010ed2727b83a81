import { afterAll, beforeAll, expect, it } from 'vitest';
import { listMedia, type MediaFilter } from '#app/media/library/queries.server.ts';
import { newIds } from '#app/platform/clock.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { createMedia, createPost } from '#tests/support/factories.ts';
import { recordDatabase } from '#tests/support/recorded-database.ts';
import { findCostly } from '#tests/support/statement-costs.ts';

const MANY = 3_000;

describeOnBothDatabases('the filters of the media library', (dialect) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ dialect });
  });
  afterAll(() => app.close());

  const named = async (filter: Partial<MediaFilter>) => {
    const { media } = await listMedia(app, { text: 'f-', ...filter }, { pageSize: 50 });
    return media.map(({ originalName }) => originalName);
  };

  it('by type, by time and by use, newest first; a post in the trash uses nothing', async () => {
    const add = async (originalName: string, mimeType = 'image/webp') => {
      app.clock.advance(24 * 3_600_000);
      return createMedia(app, {
        originalName,
        mimeType,
        path: `2026/11/${originalName.replace('-', '')}.bin`,
      });
    };
    const cover = await add('f-cover');
    const film = await add('f-film', 'video/mp4');
    const inText = await add('f-text', 'image/png');
    const trashed = await add('f-trashed');
    await add('f-unused', 'application/pdf');
    await createPost(app, { coverMediaId: cover.id });
    await createPost(app, { bodyHtml: `<img src="/uploads/${inText.path}">` });
    await createPost(app, { status: 'trashed', coverMediaId: trashed.id });
    expect(await named({ kind: 'image' })).toEqual(['f-trashed', 'f-text', 'f-cover']);
    expect(await named({ kind: 'video' })).toEqual(['f-film']);
    expect(await named({ kind: 'document' })).toEqual(['f-unused']);
    expect(await named({ isUsed: true })).toEqual(['f-text', 'f-cover']);
    expect(await named({ isUsed: false })).toEqual(['f-unused', 'f-trashed', 'f-film']);
    expect(await named({ isUsed: false, kind: 'image' })).toEqual(['f-trashed']);
    const between = { from: film.createdAt, to: trashed.createdAt };
    expect(await named({ between })).toEqual(['f-text', 'f-film']);
    const filter = { text: 'f-', isUsed: false };
    const first = await listMedia(app, filter, { pageSize: 2 });
    const second = await listMedia(app, filter, { pageSize: 2, after: first.next! });
    expect(second.media.map(({ originalName }) => originalName)).toEqual(['f-film']);
    expect(second.next).toBe(null);
  });

  it(`reads a bounded number of rows of ${MANY} files, and leads on where it has looked enough`, async () => {
    const { id: _id, ...row } = await createMedia(app, { mimeType: 'image/avif' });
    await app.db.media.createMany({
      data: newIds(app.clock, MANY).map((id) => ({ ...row, id, path: `2026/11/${id}.avif` })),
    });
    // As the database does by itself after a while.
    if (dialect === 'postgresql') await app.db.$executeRawUnsafe('ANALYZE');
    const recorded = recordDatabase(app.variables.DATABASE_URL!, () => {});
    try {
      const lists: Partial<MediaFilter>[] = [
        {},
        { kind: 'image' },
        { kind: 'video' },
        { isUsed: true },
        { kind: 'image', isUsed: false },
        { between: { from: new Date(0), to: new Date(1e9) } },
      ];
      for (const filter of lists) await listMedia(recorded, { text: '', ...filter }, { pageSize: 48 });
      const costly = await findCostly(app.variables.DATABASE_URL!, recorded.recording.queries, {
        growing: ['media', 'posts', 'file_mentions'],
        rows: 1_000,
        milliseconds: Infinity,
      });
      expect(costly).toEqual([]);
      const used: string[] = [];
      let after: string | undefined;
      for (let page = 0; page < 9; page += 1) {
        const { media, next } = await listMedia(app, { text: '', isUsed: true }, { pageSize: 48, after });
        used.push(...media.map(({ originalName }) => originalName));
        if (next === null) break;
        after = next;
      }
      expect(used).toEqual(['f-text', 'f-cover']);
    } finally {
      await recorded.db.$disconnect();
    }
  });
});
