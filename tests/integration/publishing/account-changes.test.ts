import { expect, test } from 'vitest';
import { createPreviewLink } from '#app/posts/previews/links.server.ts';
import { createAdministrator, saveAccount, saveProfile } from '#app/publishing/accounts/change.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { administrator } from '#tests/support/backend.ts';
import { createPost as createDraft, createUser } from '#tests/support/factories.ts';
import {
  describeOnBothEngines,
  expectIndexMatches,
  found,
  type SearchTestApp,
} from '#tests/support/search-app.ts';

const by = { userId: null, actor: 'test', address: '' };

describeOnBothEngines('a changed account', (getApp) => {
  const publishBy = (editorId: string) =>
    createPost(getApp(), { intent: 'publish', fields: { title: 'By somebody' }, editorId });

  test('that admin:create renames is found by its new name', async () => {
    const app = getApp();
    const { id } = await createAdministrator(app, { ...administrator, displayName: 'Ada Lindqvist' });
    await publishBy(id);
    const before = await contentVersion(app);
    await createAdministrator(app, { ...administrator, displayName: 'Ada Okonkwo' });
    expect(await found(app, 'okonkwo')).toEqual(['by-somebody']);
    expect(await found(app, 'lindqvist')).toEqual([]);
    await expectIndexMatches(app);
    expect(await contentVersion(app)).toBe(before + 1);
  });

  test('that admin:create makes or takes over stands in the audit log', async () => {
    const app = getApp();
    await createAdministrator(app, administrator);
    await app.db.user.update({ where: { email: administrator.email }, data: { role: 'author' } });
    await createAdministrator(app, administrator);
    const entries = await app.db.auditLog.findMany({
      select: { action: true, actor: true, subject: true, details: true },
      // Not by id or time: both entries are of the same instant of the test's clock.
      orderBy: { action: 'desc' },
    });
    const of = { actor: 'Command', subject: `${administrator.displayName} <${administrator.email}>` };
    expect(entries).toEqual([
      { ...of, action: 'user.created', details: 'administrator' },
      { ...of, action: 'user.changed', details: 'author to administrator, new password' },
    ]);
  });

  test('that an administrator saves is one change with one audit entry', async () => {
    const app = getApp();
    await createAdministrator(app, administrator);
    const { id, email } = await createUser(app, { role: 'author' });
    await publishBy(id);
    const before = await contentVersion(app);
    const fields = {
      email: `new-${email}`,
      role: 'editor' as const,
      displayName: 'Grace Okonkwo',
      bio: 'Writes.',
    };
    await saveAccount(app, by, id, fields);
    expect(await contentVersion(app)).toBe(before + 1);
    expect(await app.db.auditLog.count({ where: { action: 'user.changed' } })).toBe(1);
    expect(await found(app, 'okonkwo')).toEqual(['by-somebody']);
    const taken = { ...fields, email: administrator.email, displayName: 'Somebody Else' };
    await expect(saveAccount(app, by, id, taken)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await app.db.user.findUniqueOrThrow({ where: { id } })).toMatchObject(fields);
  });

  test('loses, as a contributor, its previews of posts of others and of nobody', async () => {
    const app = getApp();
    await createAdministrator(app, administrator);
    const { id, email, displayName } = await createUser(app, { role: 'editor' });
    const other = await createUser(app, { role: 'author' });
    const drafts = await Promise.all(
      [id, other.id, null].map((authorId) => createDraft(app, { status: 'draft', authorId })),
    );
    for (const { id: postId } of drafts) await createPreviewLink(app, { postId, createdById: id });
    await saveAccount(app, by, id, { email, displayName, role: 'contributor' });
    const left = await app.db.previewLink.findMany({ where: { revokedAt: null } });
    expect(left.map(({ postId }) => postId)).toEqual([drafts[0]!.id]);
  });

  test('is found by its new name in posts that name it beside their owner', async () => {
    const app = getApp();
    const { id: ownerId } = await createAdministrator(app, administrator);
    const other = await createUser(app, { role: 'author', displayName: 'Beatrice Old' });
    const fields = { title: 'By two', authors: [other.username, 'Guest One'] };
    await createPost(app, { intent: 'publish', fields, editorId: ownerId });
    expect(await found(app, 'beatrice')).toEqual(['by-two']);
    await saveAccount(app, by, other.id, {
      email: other.email,
      role: 'author',
      displayName: 'Bertha Newname',
    });
    expect([await found(app, 'newname'), await found(app, 'beatrice')]).toEqual([['by-two'], []]);
    await expectIndexMatches(app);
  });

  test('keeps cached pages where readers see no difference', async () => {
    const app = getApp();
    const { id } = await createAdministrator(app, administrator);
    const { email, displayName } = administrator;
    const before = await contentVersion(app);
    await createAdministrator(app, { ...administrator, password: 'another-password' });
    await saveAccount(app, by, id, { email: `new-${email}`, role: 'administrator', displayName });
    await saveProfile(app, by, id, { displayName });
    expect(await contentVersion(app)).toBe(before);
  });
});

async function contentVersion(app: SearchTestApp): Promise<number> {
  return (await app.db.siteState.findFirstOrThrow()).contentVersion;
}
