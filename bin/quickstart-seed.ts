import { randomBytes } from 'node:crypto';
import type { App } from '#app/app.ts';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { registerDemoPosts } from '#app/publishing/demo/demo-posts.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { samplePosts } from './sample-posts.ts';

const MINUTE_MS = 60_000;

/**
 * Creates an administrator with a random password if there is no account yet, and sample posts if there is no post yet.
 * One of the posts is due in two minutes. Existing data is kept.
 */
export async function seedQuickstart(app: App) {
  const administrator = await seedAdministrator(app);
  const dueAt = await seedPosts(app, administrator.id);
  return {
    administrator: {
      email: administrator.email,
      password: administrator.password,
      adminPath: await readSetting(app, 'admin_path'),
    },
    samples: { dueAt },
  };
}

async function seedAdministrator(app: App) {
  const present = await app.db.user.findFirst({ orderBy: { id: 'asc' }, select: { id: true, email: true } });
  if (present) return { ...present, password: null };
  const password = randomBytes(12).toString('base64url');
  const email = 'admin@example.org';
  const { id } = await createAdministrator(app, {
    email,
    username: 'editor',
    displayName: 'The Editor',
    password,
  });
  return { id, email, password };
}

async function seedPosts(app: App, editorId: string): Promise<string | null> {
  if ((await app.db.post.count()) > 0) return null;
  const now = app.clock.now().getTime();
  const dueAt = new Date(Math.ceil((now + 2 * MINUTE_MS) / 1000) * 1000);
  const created = [];
  for (const { hoursAgo, ...fields } of samplePosts) {
    const scheduled = hoursAgo === null;
    const publishedAt = scheduled ? dueAt : new Date(now - hoursAgo * 60 * MINUTE_MS);
    const intent = scheduled ? 'schedule' : 'publish';
    const { id, version } = await createPost(app, {
      intent,
      fields: { ...fields, publishedAt },
      editorId,
    });
    created.push({ id, version, isScheduled: scheduled });
  }
  // The dashboard welcomes until somebody has written a post, and removes the samples with one click.
  await registerDemoPosts(app, created, { userId: editorId, actor: 'The Editor', address: '' });
  return dueAt.toISOString();
}
