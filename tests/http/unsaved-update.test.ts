// Unsaved changes of a published post keep the time at which they are to be scheduled.
import { expect, it } from 'vitest';
import { createPost } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Fields } from '#tests/support/http-client.ts';
import { openSite } from '#tests/support/site.ts';

it('an autosave keeps the time of an update that is not scheduled yet', async () => {
  const { app, editor } = await openSite();
  await editor.post('/admin/settings/site', { site_timezone: 'Europe/Berlin' });
  const { id } = await createPost(app, { status: 'published', title: 'Tides', body: 'Public' });
  const path = `/admin/posts/${id}`;
  const formOf = (html: string) => postForms(html).find(({ fields }) => 'body' in fields)!.fields;
  const typed: Fields = { body: 'Next week', changeAt: '2027-10-31T02:30', changeAtOccurrence: 'second' };
  await editor.post(path, { ...formOf((await editor.get(path)).text), ...typed, intent: 'autosave' });
  const link = /href="(\?[^"]*with=[^"]+)"/.exec((await editor.get(path)).text)![1]!;
  const restored = formOf((await editor.get(path + link.replaceAll('&amp;', '&'))).text);
  expect(restored).toMatchObject({
    body: ['Next week'],
    changeAt: ['2027-10-31T02:30'],
    changeAtOccurrence: ['second'],
  });
  expect((await editor.post(path, { ...restored, intent: 'prepare' })).status).toBe(302);
  const { dueAt } = await app.db.scheduledUpdate.findUniqueOrThrow({ where: { postId: id } });
  expect(dueAt).toEqual(new Date('2027-10-31T01:30:00Z'));
});
