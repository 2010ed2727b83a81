import { afterEach, beforeEach, expect, it } from 'vitest';
import { runEffects } from '#app/effects/run.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { startReceiver, type WebhookReceiver } from '#tests/support/processes/webhook-receiver.ts';

let receiver: WebhookReceiver;
beforeEach(async () => void (receiver = await startReceiver()));
afterEach(() => receiver.close());

const nobody = { editorId: null };

/** Carries out what is due now and in a while, such as the second purge. */
async function carryOut(app: TestApp) {
  await app.effects.ended();
  app.clock.advance(2_000);
  await runEffects(app);
}

async function purgeWith(app: TestApp, form: string) {
  await changeSettings(app, {
    ...{ cache_keys: 'yes', purge_form: form, purge_url: receiver.url, purge_token: 'word' },
  });
  await carryOut(app);
  receiver.received.length = 0;
  const { id } = await createPost(app, {
    ...{ ...nobody, intent: 'publish', fields: { title: 'Spring tide', tags: ['Sea'] } },
  });
  await carryOut(app);
  return { id, requests: receiver.received };
}

describeWithApp(
  'purges and pings',
  (getApp) => {
    it('a form of settings says at once that an address is in an own network', async () => {
      const app = getApp();
      for (const key of ['purge_url', 'websub_hub', 'alert_webhook'])
        for (const host of ['10.0.0.1', '[::ffff:10.0.0.1]', '0xa000001', 'localhost.invalid'])
          await expect(
            changeSettings(app, { [key]: `http://${host}/` }),
            `${key} ${host}`,
          ).rejects.toMatchObject({
            fields: { [key]: [expect.stringMatching(/^The host of this address/)] },
          });
      expect(receiver.received).toEqual([]);
    });

    it('has the form of Fastly', async () => {
      const { id, requests } = await purgeWith(getApp(), 'fastly');
      expect(requests).toHaveLength(2);
      expect(requests[0]!.headers['fastly-key']).toBe('word');
      expect(String(requests[0]!.headers['surrogate-key']).split(' ')).toContain(`post-${id}`);
    });

    it('has the form of Cloudflare', async () => {
      const { id, requests } = await purgeWith(getApp(), 'cloudflare');
      expect(requests[0]!.headers.authorization).toBe('Bearer word');
      const { tags } = requests[0]!.json as unknown as { tags: string[] };
      expect(tags).toEqual(expect.arrayContaining([`post-${id}`, 'tag-sea', 'home', 'feeds']));
    });

    it('tries again, and not when purges are off meanwhile', async () => {
      const app = getApp();
      receiver.answer = (_message, response) => void response.writeHead(500).end();
      const { id } = await purgeWith(app, 'xkey');
      expect(await app.db.effect.count({ where: { state: 'failed' } })).toBeGreaterThan(0);
      await changeSettings(app, { purge_form: 'off', purge_token: 'word' });
      app.clock.advance(60_000);
      await runEffects(app);
      expect(await app.db.effect.count({ where: { state: { not: 'cancelled' } } })).toBe(0);
      const before = await app.db.effect.count();
      await editPost(app, { ...nobody, postId: id, intent: 'save', fields: { body: 'Other.' } });
      expect(await app.db.effect.count()).toBe(before);
    });

    it('tells a hub which feeds changed, and not of pages', async () => {
      const app = getApp();
      await changeSettings(app, { websub_hub: receiver.url });
      const fields = { title: 'Spring tide', tags: ['Sea'] };
      const { id } = await createPost(app, { ...nobody, intent: 'publish', fields });
      await carryOut(app);
      await createPost(app, { ...nobody, intent: 'publish', fields: { title: 'About', type: 'page' } });
      await createPost(app, { ...nobody, intent: 'save', fields: { title: 'Draft' } });
      await carryOut(app);
      expect(receiver.received).toHaveLength(1);
      const form = new URLSearchParams(receiver.received[0]!.body);
      expect(form.get('hub.mode')).toBe('publish');
      expect(form.getAll('hub.url')).toEqual(
        ['/rss.xml', '/atom.xml', '/feed.json', '/tags/sea/rss.xml'].map(
          (path) => `https://blog.example.org${path}`,
        ),
      );
      await editPost(app, { ...nobody, postId: id, intent: 'draft', fields: {} });
      await carryOut(app);
      expect(receiver.received).toHaveLength(2);
    });

    it('tells search engines the addresses that changed, also those that went', async () => {
      const app = getApp();
      app.env.indexNowEndpoint = receiver.url;
      await changeSettings(app, { indexnow: 'yes' });
      const { value: key } = await app.db.setting.findUniqueOrThrow({ where: { key: 'indexnow_key' } });
      expect(key).toMatch(/^[0-9a-f]{32}$/);
      const { id } = await createPost(app, {
        ...nobody,
        intent: 'publish',
        fields: { title: 'Spring tide' },
      });
      await carryOut(app);
      const edit = { ...nobody, postId: id };
      await editPost(app, { ...edit, intent: 'save', fields: { slug: 'neap-tide' } });
      await carryOut(app);
      await editPost(app, { ...edit, intent: 'draft', fields: { slug: 'secret' } });
      await editPost(app, { ...edit, intent: 'save', fields: { body: 'Never told.' } });
      await carryOut(app);
      const site = 'https://blog.example.org';
      expect(receiver.received.map(({ json }) => json)).toEqual(
        [['spring-tide'], ['spring-tide', 'neap-tide'], ['neap-tide']].map((slugs) => ({
          host: 'blog.example.org',
          key,
          keyLocation: `${site}/${key}.txt`,
          urlList: slugs.map((slug) => `${site}/posts/${slug}`),
        })),
      );
      await changeSettings(app, { indexnow: 'no' });
      await changeSettings(app, { indexnow: 'yes' });
      expect(await app.db.setting.findUniqueOrThrow({ where: { key: 'indexnow_key' } })).toMatchObject({
        value: key,
      });
    });
  },
  { variables: { OUTBOUND_ALLOW: '127.0.0.1' } },
);
