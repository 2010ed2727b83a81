import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease, keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { rollBackRelease, listChangedSince } from '#app/publishing/releases/roll-back.server.ts';
import { createTerm, saveTerm } from '#app/publishing/terms/save.server.ts';
import { trashTerm } from '#app/publishing/terms/trash.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { readRelease } from '#app/releases/queries.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { keepRedirectInRelease } from '#tests/support/releases.ts';

const minute = 60_000;

describeWithApp('a release', (getApp) => {
  it('waits for no scheduled rollback once it has been rolled back', async () => {
    const app = getApp();
    const fresh = await createPost(app, { intent: 'save', fields: { title: 'fresh' }, editorId: null });
    const { id: releaseId } = await createRelease(app, { name: 'Friday', step: 'save', by: byCommand });
    await addPostsToRelease(app, { releaseId, postIds: [fresh.id], editorId: null });
    await publishRelease(app, { id: releaseId, by: byCommand });
    const monday = await rollBackRelease(app, {
      id: releaseId,
      rollbackAt: new Date(app.clock.now().getTime() + 60 * minute),
      by: byCommand,
    });
    const now = await rollBackRelease(app, { id: releaseId, by: byCommand });
    expect(await app.db.release.findUnique({ where: { id: monday.id } })).toMatchObject({ status: 'draft' });
    // Somebody publishes it again: that is to last.
    await rollBackRelease(app, { id: now.id, by: byCommand });
    app.clock.advance(90 * minute);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([]);
    expect(await app.db.post.findUnique({ where: { id: fresh.id } })).toMatchObject({ status: 'published' });
  });

  it('is rolled back once: neither again at a later time, nor by a rollback that waited', async () => {
    const app = getApp();
    const fresh = await createPost(app, { intent: 'save', fields: { title: 'fresh' }, editorId: null });
    const { id } = await createRelease(app, { name: 'Friday', step: 'save', by: byCommand });
    await addPostsToRelease(app, { releaseId: id, postIds: [fresh.id], editorId: null });
    await publishRelease(app, { id, by: byCommand });
    const rollbackAt = new Date(app.clock.now().getTime() + 60 * minute);
    const waiting = await rollBackRelease(app, { id, rollbackAt, by: byCommand });
    await rollBackRelease(app, { id, by: byCommand });
    const refusal = 'This release is rolled back already.';
    await expect(rollBackRelease(app, { id, rollbackAt, by: byCommand })).rejects.toThrow(refusal);
    expect(await app.db.release.count({ where: { rollbackOfId: id } })).toBe(2);
    await expect(publishRelease(app, { id: waiting.id, by: byCommand })).rejects.toThrow(refusal);
    expect(await readRelease(app, waiting.id)).toMatchObject({ status: 'draft' });
  });

  it('leaves a page where it is whose former parent was deleted since, and takes back the rest', async () => {
    const app = getApp();
    const page = (slug: string, fields = {}) =>
      createPost(app, {
        intent: 'publish',
        fields: { type: 'page', title: slug, slug, ...fields },
        editorId: null,
      });
    const [former, other] = [await page('former'), await page('other')];
    const team = await page('team', { parentId: former.id });
    const { id: releaseId } = await createRelease(app, { name: 'Friday', step: 'save', by: byCommand });
    const change = { releaseId, editorId: null };
    const moved = { parentId: null, title: 'Our team', slug: 'our-team' };
    await keepChangeInRelease(app, { ...change, postId: team.id, version: 1, fields: moved });
    await keepChangeInRelease(app, { ...change, postId: other.id, version: 1, fields: { body: 'New' } });
    await publishRelease(app, { id: releaseId, by: byCommand });
    await trashPost(app, { postId: former.id, editorId: null });
    const release = await readRelease(app, releaseId);
    expect(await listChangedSince(app, release)).toMatchObject([
      { title: 'Our team', what: ['parent page'] },
    ]);
    const back = await rollBackRelease(app, { id: releaseId, by: byCommand });
    const rowOf = ({ id }: { id: string }) => app.db.post.findUniqueOrThrow({ where: { id } });
    expect(await rowOf(team)).toMatchObject({ title: 'team', slug: '/team', parentId: null });
    expect(await rowOf(other)).toMatchObject({ body: '' });
    // The rollback of the rollback brings the release's changes again.
    await rollBackRelease(app, { id: back.id, by: byCommand });
    expect(await rowOf(team)).toMatchObject({ title: 'Our team', slug: '/our-team', parentId: null });
  });

  it('leaves a redirect alone whose former target is gone by the time of its rollback', async () => {
    const app = getApp();
    const term = (name: string) => ({ name, slug: name.toLowerCase(), description: '', picture: '' });
    const { id: former } = await createTerm(app, 'category', term('Former'));
    const later = await createTerm(app, 'category', term('Later'));
    await saveTerm(app, 'category', former, term('Renamed'));
    const { id: releaseId } = await createRelease(app, { name: 'Friday', step: 'save', by: byCommand });
    const redirect = { from: '/categories/former', to: '/categories/later' };
    await keepRedirectInRelease(app, { releaseId, ...redirect, editorId: null });
    await publishRelease(app, { id: releaseId, by: byCommand });
    const rollbackAt = new Date(app.clock.now().getTime() + 60 * minute);
    await rollBackRelease(app, { id: releaseId, rollbackAt, by: byCommand });
    await trashTerm(app, byCommand, { kind: 'category', id: former });
    const after = { title: 'After', slug: 'after', publishedAt: new Date(rollbackAt.getTime() + minute) };
    await createPost(app, { intent: 'schedule', fields: after, editorId: null });
    app.clock.advance(90 * minute);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual(['after']);
    expect(await app.db.release.findFirst({ where: { rollbackOfId: releaseId } })).toMatchObject({
      status: 'published',
    });
    expect(await app.db.redirect.findMany()).toMatchObject([
      { path: '/categories/former', categoryId: later.id },
    ]);
  });
});
