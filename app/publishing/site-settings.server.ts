import type { PostFields } from '#app/posts/fields.ts';
import { listOf } from '#app/posts/lists.ts';
import type { SettingKey } from '#app/settings/catalogue.ts';
import { postsPathOf } from '#app/settings/posts-path.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import type { PublicChange } from './public-change.server.ts';

/** Posts that change their list at once. */
const BATCH_SIZE = 200;

/** Former addresses of the list of posts that still lead to it. */
const OLD_PATHS_MAX = 20;

/** Remembers where the list of posts was, so that its old address leads to the new one. */
export async function keepOldPostsPath({ tx, now }: PublicChange, before: string): Promise<void> {
  const settings = await readSettings({ db: tx });
  const path = postsPathOf(settings);
  if (path === before) return;
  const kept = [before, ...settings.old_posts_paths].filter((old) => old !== path && old !== '/');
  const value = [...new Set(kept)].slice(0, OLD_PATHS_MAX).join('\n');
  const key = 'old_posts_paths' satisfies SettingKey;
  await tx.setting.upsert({
    where: { key },
    create: { key, value, updatedAt: now },
    update: { value, updatedAt: now },
  });
}

/** Moves posts to the lists that the site's languages give them. Only those with a language of their own can move. */
export async function followLanguages(change: PublicChange): Promise<void> {
  const { tx } = change;
  const settings = await readSettings({ db: tx });
  change.affectsEveryPage();
  for (let after = ''; ;) {
    const posts = await tx.post.findMany({
      where: { language: { not: '' }, type: 'post', id: { gt: after } },
      select: { id: true, language: true, listedIn: true },
      orderBy: { id: 'asc' },
      take: BATCH_SIZE,
    });
    for (const { id, language, listedIn } of posts) {
      const list = listOf(
        { type: 'post', language } satisfies Pick<PostFields, 'type' | 'language'>,
        settings,
      );
      if (list === listedIn) continue;
      await tx.post.update({ where: { id }, data: { listedIn: list } });
      change.affectsWritten(id);
    }
    if (posts.length < BATCH_SIZE) return;
    after = posts.at(-1)!.id;
  }
}
