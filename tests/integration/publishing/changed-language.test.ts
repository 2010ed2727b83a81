// Call-outs have titles in the language of their post. Whatever changes only the language changes these too.
import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { rollBackRelease } from '#app/publishing/releases/roll-back.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { beforeTransaction } from '#tests/support/before-transaction.ts';
import { openScratchSite } from '#tests/support/scratch-site.ts';

const HOUR = 3_600_000;
const nobody = { editorId: null };

type Fields = Parameters<typeof createPost>[1]['fields'];

describeWithApp('the words of a text follow a change of its language alone', (getApp) => {
  async function publish(app: TestApp, language = '') {
    const fields = { title: 'Harbour', language, body: '> [!NOTE]\n> One' };
    return createPost(app, { intent: 'publish', fields, ...nobody });
  }
  const htmlOf = async ({ db }: Pick<TestApp, 'db'>, id: string) =>
    (await db.post.findUniqueOrThrow({ where: { id } })).bodyHtml;
  async function keepChange(
    app: TestApp,
    { id: postId, version }: { id: string; version: number },
    fields: Fields,
  ) {
    const { id } = await createRelease(app, { name: 'Friday', step: 'save', by: byCommand });
    await keepChangeInRelease(app, { postId, version, releaseId: id, fields, ...nobody });
    return id;
  }

  it('in a release and in its rollback', async () => {
    const app = getApp();
    const post = await publish(app);
    const releaseId = await keepChange(app, post, { language: 'de' });
    await publishRelease(app, { id: releaseId, by: byCommand });
    expect(await htmlOf(app, post.id)).toContain('Hinweis');
    await rollBackRelease(app, { id: releaseId, by: byCommand });
    expect(await htmlOf(app, post.id)).toContain('Note');
  });

  it('and stay in the post’s language when a release changes the text alone', async () => {
    const app = getApp();
    const post = await publish(app, 'de');
    const id = await keepChange(app, post, { body: '> [!NOTE]\n> Two' });
    await publishRelease(app, { id, by: byCommand });
    expect(await htmlOf(app, post.id)).toMatch(/Hinweis.*Two/s);
  });

  it('in a scheduled update, and in a plain save', async () => {
    const app = getApp();
    const { id: postId, version } = await publish(app);
    const update = { postId, version, fields: { language: 'de' }, ...nobody };
    await scheduleUpdate(app, { ...update, changeAt: new Date(app.clock.now().getTime() + HOUR) });
    app.clock.advance(HOUR);
    await publishDue(app, 'command');
    expect(await htmlOf(app, postId)).toContain('Hinweis');
    await editPost(app, { postId, intent: 'save', fields: { language: 'fr' }, ...nobody });
    expect(await htmlOf(app, postId)).toContain('Remarque');
  });

  it('on the site at a past instant', async () => {
    const app = getApp();
    const { id: postId } = await publish(app, 'de');
    app.clock.advance(HOUR);
    const instant = app.clock.now();
    app.clock.advance(HOUR);
    await editPost(app, { postId, intent: 'save', fields: { language: 'en' }, ...nobody });
    const past = await openScratchSite(app, instant);
    const html = await htmlOf(past.app, postId).finally(past.close);
    expect(html).toContain('Hinweis');
  });

  it('with the text that somebody saves at the same moment', async () => {
    const app = getApp();
    const { id: postId } = await publish(app);
    const save = (fields: Fields) => editPost(app, { postId, intent: 'save', fields, ...nobody });
    const racing = beforeTransaction(
      app,
      () => Promise.resolve(true),
      () => save({ body: '> [!NOTE]\n> Two' }),
    );
    await editPost(racing, { postId, intent: 'save', fields: { language: 'de' }, ...nobody });
    expect(await htmlOf(app, postId)).toMatch(/Hinweis.*Two/s);
  });
});
