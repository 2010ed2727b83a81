import { expect, it } from 'vitest';
import { createPost, editPost } from '#app/publishing/save-post.server.ts';
import { saveTerm } from '#app/publishing/save-term.server.ts';
import { describeWithApp } from '#tests/support/app.ts';

describeWithApp('tags of a post', (getApp) => {
  it('are found by their name, also after a rename that kept the slug', async () => {
    const app = getApp();
    const { id } = await createPost(app, {
      intent: 'draft',
      fields: { title: 'A post', tags: ['Sea', 'Bread'] },
      editorId: null,
    });
    const sea = await app.db.tag.findUniqueOrThrow({ where: { slug: 'sea' } });
    await saveTerm(app, 'tag', sea.id, { name: 'Salt water', slug: 'sea', description: '' });
    const fields = { tags: ['Salt water', 'Winter'] };
    await editPost(app, { postId: id, intent: 'save', fields, editorId: null });
    const tags = await app.db.tag.findMany({ orderBy: { slug: 'asc' }, select: { name: true, slug: true } });
    expect(tags).toEqual([
      { name: 'Bread', slug: 'bread' },
      { name: 'Salt water', slug: 'sea' },
      { name: 'Winter', slug: 'winter' },
    ]);
    const links = await app.db.postTag.findMany({ where: { postId: id }, orderBy: { position: 'asc' } });
    expect(links.map(({ tagId }) => tagId)[0]).toBe(sea.id);
    // Typed by its old name, it is the same tag; the revision keeps the name that readers see.
    const typed = { title: 'Another', tags: ['Sea', 'winter'] };
    const other = await createPost(app, { intent: 'draft', fields: typed, editorId: null });
    const kept = await app.db.revision.findFirstOrThrow({ where: { postId: other.id } });
    expect(JSON.parse(kept.fields)).toMatchObject({ tags: ['Salt water', 'Winter'] });
  });
});
