import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  isHeld,
  acknowledgeEffect,
  cancelEffect,
  releaseEffects,
  retryEffect,
} from '#app/effects/manage.server.ts';
import { eventTypes } from '#app/effects/events.ts';
import { runEffects as runOnce } from '#app/effects/run.server.ts';
import { checkEffects, readEffectsStatus, shouldAlertEffects } from '#app/effects/status.server.ts';
import { pauseWebhook, resumeWebhook } from '#app/effects/webhooks/deliver.server.ts';
import {
  createWebhook,
  deleteWebhook,
  replayMessage,
  rotateSecret,
  testWebhook,
} from '#app/effects/webhooks/save.server.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { editPost, createPost as savePost } from '#app/publishing/posts/save.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTerm, saveTerm } from '#app/publishing/terms/save.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import {
  startReceiver,
  verifyMessage,
  type WebhookReceiver,
} from '#tests/support/processes/webhook-receiver.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const variables = { OUTBOUND_ALLOW: '127.0.0.1' };
const nobody = { editorId: null };

let receiver: WebhookReceiver;
beforeEach(async () => void (receiver = await startReceiver()));
afterEach(() => receiver.close());

const addWebhook = (app: TestApp, events: readonly string[] = eventTypes) =>
  createWebhook(app, {
    name: 'Receiver',
    url: receiver.url,
    events: events as (typeof eventTypes)[number][],
  });

const states = async (app: TestApp) =>
  (await app.db.effect.findMany({ orderBy: { id: 'asc' } })).map(({ state }) => state);

/** Carries out what is due, after what the process does by itself. */
async function runEffects(app: TestApp) {
  await app.effects.ended();
  return runOnce(app);
}

/** A public post, with the background work of its publication at an end. */
async function publish(app: TestApp, title: string) {
  const post = await savePost(app, { ...nobody, intent: 'publish', fields: { title, body: 'Text.' } });
  await runEffects(app);
  return post;
}

describeWithApp(
  'webhooks',
  (getApp) => {
    it('without webhooks, no change writes an effect', async () => {
      const app = getApp();
      await publish(app, 'Silent');
      await changeSettings(app, { site_title: 'Other' });
      expect(await app.db.effect.count()).toBe(0);
      expect(await checkEffects(app)).toBe('ok');
    });

    it('sends a signed message for each event of a post, in order', async () => {
      const app = getApp();
      const { id: webhookId, secret } = await addWebhook(app);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect((await app.db.webhook.findUniqueOrThrow({ where: { id: webhookId } })).secret).toMatch(/^v1:/);
      const post = await publish(app, 'Spring tide');
      const edit = { ...nobody, postId: post.id };
      await editPost(app, { ...edit, intent: 'save', fields: { body: 'Other text.', tags: ['Sea'] } });
      await runEffects(app);
      await editPost(app, { ...edit, intent: 'draft', fields: {} });
      await runEffects(app);
      receiver.received.forEach((message) => verifyMessage(message, secret));
      expect(receiver.received.map(({ json }) => json.type)).toEqual([
        'post.published',
        'post.updated',
        'post.unpublished',
      ]);
      const [published, updated, unpublished] = receiver.received.map(({ json }) => json.data);
      expect(published).toEqual({
        id: post.id,
        sequence: expect.any(Number) as number,
        type: 'post',
        url: 'https://blog.example.org/posts/spring-tide',
        path: '/posts/spring-tide',
        slug: 'spring-tide',
        title: 'Spring tide',
        excerpt: 'Text.',
        language: 'en',
        authors: [],
        category: null,
        tags: [],
        publishedAt: app.clock.now().toISOString(),
        updatedAt: app.clock.now().toISOString(),
        version: 1,
      });
      expect(updated).toMatchObject({ tags: ['Sea'], excerpt: 'Other text.', version: 2 });
      expect(unpublished).toMatchObject({ id: post.id, path: '/posts/spring-tide', title: '', tags: [] });
      const sequences = [published, updated, unpublished].map((data) => data!.sequence as number);
      expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBe(3);
    });

    it('says what else happened: pages, releases, settings, terms', async () => {
      const app = getApp();
      await addWebhook(app);
      await savePost(app, { ...nobody, intent: 'publish', fields: { title: 'About', type: 'page' } });
      await changeSettings(app, { site_title: 'Other', feed_items: '5' });
      const { id: tagId } = await createTerm(app, 'tag', {
        name: 'Sea',
        slug: '',
        description: '',
        picture: '',
      });
      await saveTerm(app, 'tag', tagId, { name: 'Ocean', slug: '', description: '', picture: '' });
      const draft = await createPost(app, { title: 'In the release' });
      const release = await createRelease(app, {
        name: 'Spring',
        publishAt: null,
        step: 'save',
        by: byCommand,
      });
      await addPostsToRelease(app, { releaseId: release.id, postIds: [draft.id], editorId: null });
      await publishRelease(app, { id: release.id, by: byCommand });
      await runEffects(app);
      const messages = receiver.received.map(({ json }) => json);
      expect(messages.map(({ type }) => type).sort()).toEqual([
        'page.published',
        'post.published',
        'release.published',
        'settings.changed',
        'term.changed',
        'term.changed',
      ]);
      const dataOf = (type: string) => messages.filter((each) => each.type === type).map(({ data }) => data);
      expect(dataOf('release.published')).toEqual([
        { id: release.id, name: 'Spring', publishedAt: app.clock.now().toISOString(), posts: [draft.id] },
      ]);
      expect(dataOf('settings.changed')).toEqual([{ keys: ['feed_items', 'site_title'] }]);
      expect(dataOf('term.changed')).toContainEqual({
        id: tagId,
        kind: 'tag',
        slug: 'ocean',
        name: 'Ocean',
        url: 'https://blog.example.org/tags/ocean',
      });
    });

    it('sends only the events that were chosen', async () => {
      const app = getApp();
      await addWebhook(app, ['post.unpublished']);
      await publish(app, 'Not told');
      expect(receiver.received).toEqual([]);
      expect(await app.db.effect.count()).toBe(0);
    });

    it('the trigger carries out what it published, and what others left', async () => {
      const app = getApp();
      await addWebhook(app);
      await createPost(app, { status: 'scheduled', publishedAt: app.clock.now(), slug: 'due' });
      await publishDue(app, 'command');
      await app.effects.ended();
      expect(receiver.received.map(({ json }) => json.data.slug)).toEqual(['due']);
      expect(await states(app)).toEqual(['done']);
    });

    it('tries again under the same id, with growing waits, until the last try', async () => {
      const app = getApp();
      await addWebhook(app);
      receiver.answer = (_message, response) => void response.writeHead(500).end('broken');
      await publish(app, 'Refused');
      for (const wait of [5 * SECOND, 5 * MINUTE, 0.5 * HOUR, 2 * HOUR, 5 * HOUR]) {
        app.clock.advance(0.8 * wait);
        await runEffects(app);
        const before = receiver.received.length;
        app.clock.advance(0.4 * wait);
        await runEffects(app);
        expect(receiver.received.length).toBe(before + 1);
      }
      for (const wait of [10, 14, 20, 24]) {
        app.clock.advance(1.2 * wait * HOUR);
        await runEffects(app);
      }
      expect(receiver.received).toHaveLength(10);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
      expect(await states(app)).toEqual(['dead']);
      expect(await readEffectsStatus(app)).toMatchObject({
        waiting: 0,
        dead: 1,
        byKind: { webhook: { dead: 1 } },
      });
      expect(await shouldAlertEffects(app)).toBe(true);
      const [effect] = await app.db.effect.findMany();
      await acknowledgeEffect(app, effect!.id);
      expect(await checkEffects(app)).toBe('ok');
      receiver.answer = (_message, response) => void response.writeHead(200).end();
      await retryEffect(app, effect!.id);
      await runEffects(app);
      expect(await states(app)).toEqual(['done']);
    });

    it('keeps the order of one post while it fails, and other posts do not wait', async () => {
      const app = getApp();
      await addWebhook(app);
      receiver.answer = ({ json }, response, count) =>
        void response.writeHead(json.data.title === 'Slow' && count < 4 ? 503 : 200).end();
      const slow = await publish(app, 'Slow');
      await editPost(app, { ...nobody, postId: slow.id, intent: 'save', fields: { body: 'Second.' } });
      await publish(app, 'Fast');
      expect(receiver.received.map(({ json }) => `${json.type} ${String(json.data.title)}`)).toEqual([
        'post.published Slow',
        'post.published Fast',
      ]);
      app.clock.advance(6 * SECOND);
      await runEffects(app);
      app.clock.advance(6 * MINUTE);
      await runEffects(app);
      expect(receiver.received.map(({ json }) => json.type).slice(2)).toEqual([
        'post.published',
        'post.published',
        'post.updated',
      ]);
      expect(await states(app)).toEqual(['done', 'done', 'done']);
    });

    it('obeys Retry-After of 429 and 503, up to a day', async () => {
      const app = getApp();
      await addWebhook(app);
      receiver.answer = (_message, response) => void response.writeHead(429, { 'Retry-After': '7200' }).end();
      await publish(app, 'Later');
      const due = async () =>
        (await app.db.effect.findFirstOrThrow()).dueAt.getTime() - app.clock.now().getTime();
      expect(await due()).toBe(2 * HOUR);
      receiver.answer = (_message, response) =>
        void response.writeHead(503, { 'Retry-After': '9999999' }).end();
      app.clock.advance(2 * HOUR);
      await runEffects(app);
      expect(await due()).toBe(24 * HOUR);
    });

    it('pauses a webhook that answers 410, and one that fails for five days; its messages wait', async () => {
      const app = getApp();
      const { id } = await addWebhook(app);
      receiver.answer = (_message, response) => void response.writeHead(410).end();
      await publish(app, 'Gone');
      const webhook = () => app.db.webhook.findUniqueOrThrow({ where: { id } });
      expect((await webhook()).pauseReason).toContain('410');
      receiver.answer = (_message, response) => void response.writeHead(500).end();
      await publish(app, 'Waits');
      expect(receiver.received).toHaveLength(1);
      expect(await states(app)).toEqual(['waiting', 'waiting']);
      await resumeWebhook(app, id);
      await runEffects(app);
      expect(receiver.received).toHaveLength(3);
      app.clock.advance(5 * 24 * HOUR + MINUTE);
      await runEffects(app);
      expect((await webhook()).pauseReason).toContain('five days');
      receiver.answer = (_message, response) => void response.writeHead(200).end();
      await resumeWebhook(app, id);
      await runEffects(app);
      expect(await states(app)).toEqual(['done', 'done']);
      expect((await webhook()).failingSince).toBeNull();
    });

    it('sends nothing that is no longer true', async () => {
      const app = getApp();
      const { id } = await addWebhook(app, ['post.published']);
      await pauseWebhook(app, id);
      const post = await publish(app, 'Withdrawn');
      await editPost(app, { ...nobody, postId: post.id, intent: 'draft', fields: { title: 'Secret' } });
      await resumeWebhook(app, id);
      await runEffects(app);
      expect(receiver.received).toEqual([]);
      expect(await states(app)).toEqual(['cancelled']);
    });

    it('signs with both secrets for a day after a rotation', async () => {
      const app = getApp();
      const { id, secret } = await addWebhook(app);
      const next = await rotateSecret(app, id);
      await publish(app, 'Both');
      verifyMessage(receiver.received[0]!, secret);
      verifyMessage(receiver.received[0]!, next);
      app.clock.advance(24 * HOUR + SECOND);
      await publish(app, 'New alone');
      verifyMessage(receiver.received[1]!, next);
      expect(() => verifyMessage(receiver.received[1]!, secret)).toThrow();
    });

    it('tests at once, logs each try, and replays under the same id', async () => {
      const app = getApp();
      const { id } = await addWebhook(app);
      expect(await testWebhook(app, id)).toEqual({ status: 204, error: '' });
      receiver.answer = (_message, response) => void response.writeHead(200).end('x'.repeat(20_000));
      await publish(app, 'Logged');
      const delivery = await app.db.webhookDelivery.findFirstOrThrow({ where: { event: 'post.published' } });
      expect(delivery).toMatchObject({ status: 200, error: '', request: receiver.received[1]!.body });
      expect(delivery.response).toHaveLength(8 * 1024);
      await replayMessage(app, id, delivery.id);
      await runEffects(app);
      expect(receiver.received[2]!.headers['webhook-id']).toBe(receiver.received[1]!.headers['webhook-id']);
    });

    it('cancels, and deletes with the webhook what waits for it', async () => {
      const app = getApp();
      const { id } = await addWebhook(app);
      receiver.answer = (_message, response) => void response.writeHead(500).end();
      await publish(app, 'First');
      await publish(app, 'Second');
      await cancelEffect(app, (await app.db.effect.findFirstOrThrow({ orderBy: { id: 'asc' } })).id);
      expect(await states(app)).toEqual(['cancelled', 'failed']);
      await deleteWebhook(app, id);
      expect(await states(app)).toEqual(['cancelled', 'cancelled']);
      await publish(app, 'Third');
      expect(await app.db.effect.count()).toBe(2);
    });

    it('refuses an address in a network of its own at once', async () => {
      const app = getApp();
      for (const url of [
        'http://10.0.0.1/',
        'http://[::1]:9/',
        'http://0x7f000002/',
        'http://localhost.invalid/',
      ])
        await expect(
          createWebhook(app, { name: 'Own', url, events: ['post.published'] }),
        ).rejects.toMatchObject({
          fields: { url: [expect.stringMatching(/host of this address/)] },
        });
    });

    it('holds everything where the instance differs, until it is released', async () => {
      const app = getApp();
      await addWebhook(app);
      await publish(app, 'Before');
      expect(await isHeld(app)).toBe(false);
      await app.mediaStore.delete('.instance_id');
      expect(await checkEffects(app)).toBe('held');
      await publish(app, 'After');
      expect(await readEffectsStatus(app)).toMatchObject({ held: 1, waiting: 0 });
      expect(receiver.received).toHaveLength(1);
      expect(await releaseEffects(app)).toBe(1);
      await runEffects(app);
      expect(receiver.received).toHaveLength(2);
      expect(await checkEffects(app)).toBe('ok');
    });

    it('two runs at once send each message once', async () => {
      const app = getApp();
      const { id } = await addWebhook(app);
      await pauseWebhook(app, id);
      for (let number = 0; number < 20; number += 1) await publish(app, `Post ${number}`);
      await resumeWebhook(app, id);
      const runs = await Promise.all([runOnce(app), runOnce(app), runOnce(app)]);
      expect(runs.reduce((sum, { done }) => sum + done, 0)).toBe(20);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
      expect(receiver.received).toHaveLength(20);
    });
  },
  { variables },
);
