import { expect, test } from 'vitest';
import { newId } from '#app/platform/clock.ts';
import { findPreview, hashPreviewToken } from '#app/posts/previews/links.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';

describeWithApp('a preview link', (getApp) => {
  async function createLink(app: TestApp, overrides: { expiresAt?: Date; revokedAt?: Date } = {}) {
    const post = await createPost(app, { status: 'draft', title: 'Secret plan' });
    const createdAt = app.clock.now();
    const expiresAt = new Date(createdAt.getTime() + 60_000);
    const tokenHash = hashPreviewToken('the-token');
    const id = newId(app.clock);
    await app.db.previewLink.create({
      data: { id, postId: post.id, tokenHash, createdAt, expiresAt, ...overrides },
    });
  }

  test('shows a draft until it expires', async () => {
    const app = getApp();
    await createLink(app);
    expect(await findPreview(app, 'the-token')).toMatchObject({
      post: { title: 'Secret plan' },
      status: 'draft',
    });
    expect(await findPreview(app, 'another-token')).toBeNull();
    app.clock.advance(60_000);
    expect(await findPreview(app, 'the-token')).toBeNull();
  });

  test('shows nothing once it is revoked', async () => {
    const app = getApp();
    await createLink(app, { revokedAt: app.clock.now() });
    expect(await findPreview(app, 'the-token')).toBeNull();
  });
});
