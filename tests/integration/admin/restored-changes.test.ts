// The editor that opens unsaved changes names exactly those that it has read.
import { expect, it } from 'vitest';
import { load } from '#app/admin/editor/page/edit.server.ts';
import type { App } from '#app/app.ts';
import { saveAutosave } from '#app/publishing/posts/autosave.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';

/** Runs `meanwhile` after the first revision has been read. */
function afterRevisionRead(app: App, meanwhile: () => Promise<unknown>): App {
  const revision = new Proxy(app.db.revision, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'findUnique' || typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        const row: unknown = await Reflect.apply(value, target, args);
        await meanwhile();
        return row;
      };
    },
  });
  const db = new Proxy(app.db, {
    get: (target, name): unknown => (name === 'revision' ? revision : Reflect.get(target, name)),
  });
  return { ...app, db };
}

describeWithApp('the editor of unsaved changes', (getApp) => {
  it('does not claim words that another tab types while they are read', async () => {
    const app = getApp();
    const { id: editorId } = await createUser(app, { role: 'editor' });
    const fields = { title: 'Tides', body: 'Public' };
    const { id: postId } = await createPost(app, { intent: 'publish', fields, editorId });
    const type = async (body: string) => {
      app.clock.advance(1_000);
      return saveAutosave(app, { postId, editorId, version: 1, fields: { body } });
    };
    const { savedAt } = await type('Older');
    const { id } = await app.db.revision.findFirstOrThrow({ where: { postId, kind: 'autosave' } });
    const user = { id: editorId, role: 'editor', email: '', username: '', displayName: '' } as const;
    const data = await load({
      app: afterRevisionRead(app, () => type('Newer')),
      request: new Request(`https://blog.example.org/admin/posts/${postId}?with=${id}`),
      params: { id: postId },
      user: { ...user, language: '', sessionId: '' },
      address: '127.0.0.1',
      adminContext: {
        adminPath: 'admin',
        siteTitle: '',
        siteUrl: '',
        now: new Date(),
        timeZone: 'UTC',
        language: 'en',
        user: null,
        screens: [],
        menu: [],
      },
    });
    expect(data).toMatchObject({ values: { body: 'Older', autosavedAt: savedAt.toISOString() } });
    expect(await app.db.revision.findUnique({ where: { id } })).toMatchObject({
      fields: expect.stringContaining('Newer'),
    });
  });
});
