// A newsletter in one process: its readers, its issues, and a run of what is due.
import { runEffects as runOnce } from '#app/effects/run.server.ts';
import { listIssues } from '#app/newsletter/issues.server.ts';
import { addSubscriber } from '#app/newsletter/subscribers.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import type { Timed } from '#app/platform/services.ts';
import type { TestApp } from '#tests/support/app.ts';
import { newsletterFields, type MoodySmtp } from './moody-smtp.ts';

export const byEmail = { body: 'Text.', sendByEmail: 'yes' } as const;

export async function switchNewsletterOn(app: TestApp, smtp: MoodySmtp, more: Record<string, string> = {}) {
  await changeSettings(app, { ...newsletterFields(smtp), ...more });
}

/** Adds `reader-1@example.org` and so on. */
export async function addReaders(app: TestApp, count: number) {
  for (let number = 1; number <= count; number += 1)
    await addSubscriber(app, `reader-${number}@example.org`, '');
}

/** Writes the rows of `reader-0@example.org` and so on: thousands in a moment. */
export async function insertSubscribers(app: Timed, count: number) {
  const now = app.clock.now();
  const rows = Array.from({ length: count }, (_, number) => ({
    ...{ id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`, state: 'active' },
    ...{ email: `reader-${number}@example.org`, emailKey: `reader-${number}@example.org` },
    ...{
      token: String(number).padStart(43, 't'),
      stateAt: now,
      consentAt: now,
      createdAt: now,
      updatedAt: now,
    },
  }));
  for (let start = 0; start < rows.length; start += 500)
    await app.db.subscriber.createMany({ data: rows.slice(start, start + 500) });
}

export async function publishByEmail(app: TestApp, title: string, fields: object = {}) {
  const post = await createPost(app, {
    editorId: null,
    intent: 'publish',
    fields: { title, ...byEmail, ...fields },
  });
  await app.effects.ended();
  return post;
}

/** Carries out what is due, after what the process does by itself. */
export async function runEffects(app: TestApp, later = 0) {
  await app.effects.ended();
  app.clock.advance(later);
  return runOnce(app);
}

/** The newest issue with its figures. */
export const issueOf = async (app: TestApp) => (await listIssues(app, { take: 10 }))[0]!;
