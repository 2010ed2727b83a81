// An address stays when the rules for slugs change: “İ” made i and U+0307, a mark that nobody sees.
import { expect, it } from 'vitest';
import { postFields } from '#app/posts/fields/fields.ts';
import { termSchema } from '#app/posts/terms/form.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { saveTerm } from '#app/publishing/terms/save.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import * as rows from '#tests/support/factories.ts';

describeWithApp('slugs of earlier rules', (getApp) => {
  it('stay when a form sends them back', async () => {
    const app = getApp();
    const { id } = await rows.createPost(app, {
      title: 'İstanbul',
      slug: 'i\u0307stanbul',
      status: 'published',
    });
    const slug = postFields.slug.form().parse('i\u0307stanbul');
    await editPost(app, { postId: id, intent: 'save', fields: { slug, title: 'New' }, editorId: null });
    expect(await app.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({
      slug: 'i\u0307stanbul',
      title: 'New',
    });
    const tag = await rows.createTag(app, { name: 'İzmir', slug: 'i\u0307zmir' });
    await saveTerm(app, 'tag', tag.id, termSchema.parse({ name: 'Izmir', slug: 'i\u0307zmir' }));
    expect(await app.db.tag.findUniqueOrThrow({ where: { id: tag.id } })).toMatchObject({
      slug: 'i\u0307zmir',
      name: 'Izmir',
    });
    expect(await app.db.redirect.count()).toBe(0);
  });

  it('are not made any more', async () => {
    const fields = { title: 'İstanbul günlüğü', tags: ['İzmir'] };
    expect((await createPost(getApp(), { intent: 'publish', fields, editorId: null })).slug).toBe(
      'istanbul-günlüğü',
    );
    expect(await getApp().db.tag.findFirstOrThrow()).toMatchObject({ name: 'İzmir', slug: 'izmir' });
  });
});
