import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { createCategory, createUser } from '#tests/support/factories.ts';
import { recordDatabase } from '#tests/support/recorded-database.ts';

const isDrain = (sql: string) => /\bleases\b|^SELECT\b.*\bsearch_outbox\b/s.test(sql);

it('a published save writes its row once, and costs fewer than 46 statements with the search index following', async () => {
  const app = await createTestApp();
  const { db, recording } = recordDatabase(app.variables.DATABASE_URL!);
  try {
    const editorId = (await createUser(app)).id;
    const categoryId = (await createCategory(app)).id;
    const fields = { title: 'Tides', body: 'One', tags: ['Sea', 'Wind'], categoryId };
    const { id: postId } = await createPost(app, { intent: 'publish', fields, editorId });
    // Makes the search index.
    await editPost(app, { postId, version: 1, intent: 'save', fields: { body: 'Two' }, editorId });
    const warm = { ...app, db };
    await editPost(warm, { postId, version: 2, intent: 'save', fields: { body: 'Three' }, editorId });
    recording.statements.length = 0;
    recording.commits = 0;
    const form = { ...fields, slug: 'tides', body: 'Four', tags: ['Sea', 'Rain'] };
    await editPost(warm, { postId, version: 3, intent: 'save', fields: form, editorId });
    const ofSave = recording.statements.slice(0, recording.statements.findIndex(isDrain));
    expect(ofSave.filter((sql) => /^UPDATE \S*posts\W/.test(sql))).toHaveLength(1);
    // Two of them read which tags and which category the revision names (decision 037).
    expect(ofSave.length).toBeLessThanOrEqual(31);
    // Four of them look for texts of the post that wait for their time.
    expect(recording.statements.length).toBeLessThan(46);
    // The save; the drain, which takes its lease in one (decision 039) and gives it back with the last entry.
    expect(recording.commits).toBeLessThanOrEqual(3);
  } finally {
    await db.$disconnect();
    await app.close();
  }
});

it('a release writes each changed text once, and costs fewer than 4 statements for each', async () => {
  const app = await createTestApp();
  const { db, recording } = recordDatabase(app.variables.DATABASE_URL!);
  try {
    const { id: categoryId } = await createCategory(app);
    const { id: releaseId } = await createRelease(app, { name: 'Friday', step: 'save', by: byCommand });
    const count = 20;
    for (let index = 0; index < count; index += 1) {
      const fields = { title: `Text ${index}`, body: 'One', tags: ['Sea'], categoryId };
      const { id: postId, version } = await createPost(app, { intent: 'publish', fields, editorId: null });
      const change = { title: `Changed ${index}`, body: `Two ${index}` };
      await keepChangeInRelease(app, { postId, releaseId, version, fields: change, editorId: null });
    }
    await publishRelease({ ...app, db }, { id: releaseId, by: byCommand });
    const ofRelease = recording.statements.slice(
      recording.statements.findIndex((sql) => /^UPDATE \S*releases\W/.test(sql)),
      recording.statements.findIndex((sql) => /^INSERT INTO \S*content_changes\W/.test(sql)),
    );
    expect(
      ofRelease.filter((sql) => /^UPDATE \S*posts\W.*"body"/.test(sql.replaceAll('`', '"'))),
    ).toHaveLength(count);
    expect(ofRelease.length).toBeLessThan(3 * count + 30);
  } finally {
    await db.$disconnect();
    await app.close();
  }
});
