import type { PostFields } from '#app/posts/fields/fields.ts';
import { listOf } from '#app/posts/lists/lists.ts';
import type { PublicChange } from '#app/publishing/change/public-change.server.ts';
import { definitionOf, type SettingKey } from '#app/settings/catalogue.ts';
import type { SettingsGroup } from '#app/settings/definition.ts';
import { postsPathOf } from '#app/settings/posts-path.ts';
import { readSettings } from '#app/settings/queries.server.ts';

/** Settings on which it depends in which language's list a post is. */
export const languageKeys: ReadonlySet<string> = new Set([
  'site_language',
  'site_languages',
] satisfies SettingKey[]);

/** Posts that are read in one query. */
const BATCH_SIZE = 200;

/** Former addresses of the list of posts that still redirect to it; older ones are deleted. */
const OLD_PATHS_MAX = 20;

/** Groups whose changes are not recorded: readers do not see them, and some are secret. */
const unrecordedGroups: ReadonlySet<string> = new Set([
  'delivery',
  'email',
  'newsletter',
  'security',
] satisfies SettingsGroup[]);

/** Writes the stored text of a setting; null deletes it. */
export async function writeSetting(
  { tx, now, recordTexts, causes }: PublicChange,
  key: SettingKey,
  value: string | null,
): Promise<void> {
  const before = await tx.setting.findUnique({ where: { key } });
  if (value === null) await tx.setting.deleteMany({ where: { key } });
  else
    await tx.setting.upsert({
      where: { key },
      create: { key, value, updatedAt: now },
      update: { value, updatedAt: now },
    });
  if (definitionOf(key).group !== 'internal') causes('settings.changed', key);
  if (!unrecordedGroups.has(definitionOf(key).group))
    recordTexts('setting', key, { value: before?.value ?? null }, { value });
}

/** Records the former address of the list of posts, which then redirects to the new one. */
export async function keepOldPostsPath(change: PublicChange, before: string): Promise<void> {
  const settings = await readSettings({ db: change.tx });
  const path = postsPathOf(settings);
  if (path === before) return;
  const oldPaths = [before, ...settings.old_posts_paths].filter((old) => old !== path && old !== '/');
  const value = [...new Set(oldPaths)].slice(0, OLD_PATHS_MAX).join('\n');
  await writeSetting(change, 'old_posts_paths', value);
}

/** Moves each post to the list of its language. Only posts with a language of their own can move. */
export async function moveToLanguageLists(change: PublicChange): Promise<void> {
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
