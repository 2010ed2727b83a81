// Truthful validators: the date of the last change is that of the last change that readers saw.
import { expect, it } from 'vitest';
import { findPost } from '#app/posts/lists/queries.server.ts';
import { createPost, editPost, type EditPostInput } from '#app/publishing/posts/save.server.ts';
import { describeWithApp } from '#tests/support/app.ts';

const HOUR_MS = 3_600_000;

describeWithApp('a published post', (getApp) => {
  it('is updated for readers only by a change of what they see', async () => {
    const app = getApp();
    const fields = { title: 'Tides', slug: 'tides' };
    const { id } = await createPost(app, { intent: 'publish', fields, editorId: null });
    const updatedAt = async () => (await findPost(app, 'tides'))?.updatedAt;
    const save = (changes: EditPostInput['fields']) =>
      editPost(app, { postId: id, intent: 'save', fields: changes, editorId: null });
    const published = await updatedAt();
    app.clock.advance(HOUR_MS);
    const now = app.clock.now();
    await save({ archiveAt: new Date(now.getTime() + HOUR_MS) });
    await save({ template: 'yes' });
    expect(await updatedAt()).toEqual(published);
    const [entry] = await app.db.sitemapEntry.findMany();
    expect(entry?.lastModified).toEqual(published);
    await save({ template: '', excerpt: 'High and low.' });
    expect(await updatedAt()).toEqual(now);
  });
});
