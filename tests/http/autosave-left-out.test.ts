// An autosave stores what it can, and names the fields that it could not store.
import { beforeAll, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let editor: Client;
beforeAll(async () => {
  ({ app, editor } = await openSite());
  await createPost(app, { slug: 'taken' });
});

async function autosave(status: string, fields: Fields) {
  const { id } = await createPost(app, { status, title: 'Tides', body: 'Before' });
  const form = { intent: 'autosave', version: '1', body: 'Typed', ...fields };
  const answer = await editor.post(`/admin/posts/${id}`, form, { accept: 'application/json' });
  const copy = await app.db.revision.findFirst({
    where: { postId: id, kind: { in: ['draft', 'autosave'] } },
  });
  expect([answer.status, copy?.fields]).toEqual([200, expect.stringContaining('Typed')]);
  return answer.json<{ errors?: Record<string, string> }>().errors;
}

it.each<[string, string, Fields]>([
  ['that no post can have', 'published', { publishedAt: 'at night' }],
  ['that no post can have', 'draft', { seoTitle: 'x'.repeat(1_000) }],
  ['that another post has', 'draft', { slug: 'taken' }],
])('a value %s, of a post that is %s: %j', async (_, status, wrong) => {
  const [name] = Object.keys(wrong);
  expect(await autosave(status, wrong)).toEqual({ [name!]: expect.stringMatching(/\w/) });
});

it('a title that is not typed yet is no error', async () => {
  expect(await autosave('draft', { title: '' })).toBeUndefined();
});
