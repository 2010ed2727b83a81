import { expect, it } from 'vitest';
import { postFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { saveTerm } from '#app/publishing/terms/save.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { createTag } from '#tests/support/factories.ts';

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

  it('are all kept by the form, also “C” beside “C++”', async () => {
    const app = getApp();
    await createTag(app, { name: 'C', slug: 'c' });
    await createTag(app, { name: 'C++', slug: 'c-2' });
    const fields = { title: 'Languages', tags: ['C', 'C++'] };
    const { id } = await createPost(app, { intent: 'draft', fields, editorId: null });
    const present = await readPostFields(app.db, await app.db.post.findUniqueOrThrow({ where: { id } }));
    const typed = postFields.tags.form().parse(postFields.tags.toForm(present.tags));
    await editPost(app, { postId: id, intent: 'save', fields: { tags: typed }, editorId: null });
    const links = await app.db.postTag.findMany({
      where: { postId: id },
      orderBy: { position: 'asc' },
      select: { tag: { select: { slug: true } } },
    });
    expect(links.map(({ tag }) => tag.slug)).toEqual(['c', 'c-2']);
  });
});
