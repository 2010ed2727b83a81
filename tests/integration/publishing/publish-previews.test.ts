import { expect, it } from 'vitest';
import {
  findPreview,
  createPreviewLink,
  listPreviewLinks,
  revokePreviewLink,
} from '#app/posts/previews/links.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { createPost, createUser } from '#tests/support/factories.ts';

const day = 24 * 60 * 60 * 1000;

describeWithApp('a preview link', (getApp) => {
  it('shows the post for seven days to whoever holds it, and its token is nowhere in the database', async () => {
    const app = getApp();
    const post = await createPost(app, { title: 'Secret' });
    const user = await createUser(app, { displayName: 'Ada' });
    const link = await createPreviewLink(app, { postId: post.id, createdById: user.id });
    const token = link.path.replace('/preview/', '');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await app.db.previewLink.findMany())).not.toContain(token);
    expect(await listPreviewLinks(app, post.id)).toMatchObject([{ state: 'active', path: link.path }]);
    const rekeyed = { ...app, env: { ...app.env, authSecret: 'another secret of 32 characters.' } };
    expect(await listPreviewLinks(rekeyed, post.id)).toMatchObject([{ state: 'active', path: null }]);
    expect((await findPreview(app, token))?.post.title).toBe('Secret');
    app.clock.advance(7 * day - 1);
    expect(await findPreview(app, token)).not.toBeNull();
    app.clock.advance(1);
    expect(await findPreview(app, token)).toBeNull();
    expect(await listPreviewLinks(app, post.id)).toMatchObject([
      { createdBy: 'Ada', state: 'expired', path: null },
    ]);
  });

  it('ends when it is revoked, and only through its own post', async () => {
    const app = getApp();
    const [post, other] = [await createPost(app), await createPost(app)];
    const link = await createPreviewLink(app, { postId: post.id, createdById: null });
    const kept = await createPreviewLink(app, { postId: post.id, createdById: null });
    const foreign = { postId: other.id, linkId: link.id };
    await expect(revokePreviewLink(app, foreign)).rejects.toMatchObject({ code: 'not_found' });
    await revokePreviewLink(app, { postId: post.id, linkId: link.id });
    await revokePreviewLink(app, { postId: post.id, linkId: link.id });
    expect(await findPreview(app, link.path.replace('/preview/', ''))).toBeNull();
    expect(await findPreview(app, kept.path.replace('/preview/', ''))).not.toBeNull();
    const states = new Map((await listPreviewLinks(app, post.id)).map(({ id, state }) => [id, state]));
    expect(states.get(link.id)).toBe('revoked');
    expect(states.get(kept.id)).toBe('active');
  });

  it('goes with its post, and leaves the list a month after its end', async () => {
    const app = getApp();
    const post = await createPost(app);
    await createPreviewLink(app, { postId: post.id, createdById: null });
    app.clock.advance(38 * day);
    await createPreviewLink(app, { postId: post.id, createdById: null });
    expect(await listPreviewLinks(app, post.id)).toHaveLength(1);
    await app.db.post.delete({ where: { id: post.id } });
    expect(await app.db.previewLink.count()).toBe(0);
    await expect(createPreviewLink(app, { postId: post.id, createdById: null })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
