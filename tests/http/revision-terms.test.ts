// A revision that is opened in the editor or restored has its tags and its category by what became of them.
import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { saveTerm } from '#app/publishing/terms/save.server.ts';
import { trashTerm } from '#app/publishing/terms/trash.server.ts';
import { createCategory, createTag } from '#tests/support/factories.ts';
import { openSite } from '#tests/support/site.ts';

const json = { accept: 'application/json' };

it('a revision in the editor has the present names of its tags, and the category that got its posts', async () => {
  const { editor, id, first, heir } = await openRevision();
  const shown = await editor.get(`/admin/posts/${id}?with=${first.id}`, json);
  const { values } = shown.json<{ values: { tags: string; categoryId: string } }>();
  expect(values).toMatchObject({ tags: 'Ocean, Coast', categoryId: heir.id });
});

it('a restored revision gives its post the renamed tags, and the category that got its posts', async () => {
  const { app, editor, id, first, heir } = await openRevision();
  const restored = await editor.post(
    `/admin/posts/${id}/revisions`,
    { revisionId: first.id, version: '2', intent: 'restore' },
    json,
  );
  expect(restored.status).toBe(200);
  const { category, tags } = await app.db.post.findUniqueOrThrow({
    where: { id },
    select: { category: true, tags: { select: { tag: true }, orderBy: { position: 'asc' } } },
  });
  expect(category?.id).toBe(heir.id);
  expect(tags.map(({ tag }) => tag.name)).toEqual(['Ocean', 'Coast']);
  expect(await app.db.tag.count()).toBe(2);
});

/** A post whose first revision has a tag that is renamed since, and a category that went into the trash. */
async function openRevision() {
  const { app, editor } = await openSite();
  const sea = await createTag(app, { name: 'Sea', slug: 'sea' });
  const former = await createCategory(app, { name: 'Former', slug: 'former' });
  const heir = await createCategory(app, { name: 'Heir', slug: 'heir' });
  const typed = { title: 'Tides', tags: 'Sea, Coast', categoryId: former.id, intent: 'publish' };
  const { id } = (await editor.post('/admin/posts/new', typed, json)).json<{ id: string }>();
  await editor.post(`/admin/posts/${id}`, { tags: '', categoryId: '', version: '1', intent: 'save' }, json);
  // The server has its own clock.
  app.clock.advance(3_600_000);
  await saveTerm(app, 'tag', sea.id, { name: 'Ocean', slug: 'ocean', description: '' });
  await trashTerm(app, byCommand, { kind: 'category', id: former.id, heirId: heir.id });
  const first = await app.db.revision.findFirstOrThrow({
    where: { postId: id, postVersion: 1 },
    select: { id: true },
  });
  return { app, editor, id, first, heir };
}
