// Links that a release makes right or wrong, as its screen names them.
import { expect, it } from 'vitest';
import { linkChecker } from '#app/admin/releases/checks.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { readRelease } from '#app/releases/queries.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { keepChange, publishPost, scheduleRelease } from '#tests/support/releases.ts';

const page = (app: TestApp, slug: string, fields: Partial<PostFields> = {}) =>
  createPost(app, {
    intent: 'publish',
    fields: { type: 'page', title: slug, slug, ...fields },
    editorId: null,
  });

describeWithApp('the links of a release', (getApp) => {
  it('to a page that moves and to the pages below it, at the new and the old addresses, are not dead', async () => {
    const app = getApp();
    const [old, other] = [await page(app, 'old'), await page(app, 'other')];
    await page(app, 'team', { parentId: old.id });
    await createPost(app, {
      intent: 'save',
      fields: { type: 'page', title: 'Hidden', slug: 'hidden', parentId: old.id },
      editorId: null,
    });
    const post = await publishPost(app, 'news');
    const { id } = await scheduleRelease(app, 5);
    await keepChange(app, id, old, { parentId: other.id });
    const paths = ['/other/old', '/other/old/team', '/old/team', '/other/old/hidden', '/other/team'];
    await keepChange(app, id, post, { body: paths.map((path) => `[${path}](${path})`).join('\n') });
    const { items } = await readRelease(app, id);
    const item = items.find(({ subjectId }) => subjectId === post.id)!;
    expect(await linkChecker(app, items)(item)).toEqual(['/other/old/hidden', '/other/team']);
  });
});
