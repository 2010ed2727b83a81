import type { Transaction } from '#app/platform/database/client.server.ts';
import { fieldError } from '#app/platform/errors.ts';
import { publicFirstSegments } from '#app/platform/http/public-addresses.ts';
import { about, messageOfIssue, say } from '#app/platform/message.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { definitionOf, type SettingKey, type Settings, postsPathOf } from '#app/settings/catalogue.ts';

/** Settings that hold or decide addresses. */
export const addressKeys = [
  'admin_path',
  'home_page',
  'posts_path',
  'site_languages',
  'site_language',
] as const satisfies SettingKey[];

/**
 * Checks settings that hold addresses for conflicts with each other and with pages.
 * @param stored the present settings
 * @param texts the settings that change
 * @throws AppError `invalid_input` beside the setting.
 */
export async function checkSiteAddresses(
  db: Pick<Transaction, 'post'>,
  stored: Settings,
  texts: Partial<Record<SettingKey, unknown>>,
): Promise<void> {
  const named = addressKeys.filter((key) => texts[key] !== undefined);
  if (named.length === 0) return;
  const parsed = named.map((key) => {
    const reading = definitionOf(key).schema.safeParse(texts[key]);
    if (!reading.success) throw fieldError(key, messageOfIssue(reading.error.issues[0]!));
    return [key, reading.data] as const;
  });
  const settings = { ...stored, ...Object.fromEntries(parsed) };
  const pageAt = (path: string) =>
    db.post.findFirst({
      where: { OR: [{ slug: path }, { slug: { startsWith: `${path}/` } }] },
      select: { id: true, title: true },
    });
  const isUsed = (title: string) =>
    say('The address is used by the page “{title}”. Choose another.', { title });
  const postsPath = postsPathOf(settings);
  const postsSegment = postsPath.split('/')[1]!;
  const isLanguage = (segment: string) =>
    settings.site_languages.some((tag) => tag.toLowerCase() === segment);
  if (texts.admin_path !== undefined) {
    const page = await pageAt(`/${settings.admin_path}`);
    if (page) throw fieldError('admin_path', isUsed(page.title));
    if (settings.admin_path === postsSegment)
      throw fieldError('admin_path', 'The path is used by the public site. Choose another.');
    if (isLanguage(settings.admin_path))
      throw fieldError('admin_path', 'A site language uses this path. Choose another.');
  }
  for (const tag of texts.site_languages === undefined ? [] : settings.site_languages) {
    const page = await pageAt(`/${tag.toLowerCase()}`);
    if (page) throw fieldError('site_languages', about(`/${tag}`, isUsed(page.title)));
    if (tag.toLowerCase() === settings.admin_path)
      throw fieldError(
        'site_languages',
        say('{path} is used by the backend. Choose another language tag.', { path: `/${tag}` }),
      );
    if (tag.toLowerCase() === postsSegment)
      throw fieldError(
        'site_languages',
        say('{path} is used by the list of posts. Choose another language tag.', { path: `/${tag}` }),
      );
  }
  const { home_page: home } = settings;
  if (texts.home_page !== undefined && home !== '' && home !== stored.home_page) {
    const where = { id: home, type: 'page', ...notTrashed };
    if (!(await db.post.findUnique({ where, select: { id: true } })))
      throw fieldError('home_page', 'This page no longer exists. Choose another.');
  }
  if (postsPath === '/' || (texts.posts_path === undefined && texts.home_page === undefined)) return;
  const field = texts.posts_path === undefined ? 'home_page' : 'posts_path';
  const isReserved =
    publicFirstSegments.has(postsSegment) || postsSegment === settings.admin_path || isLanguage(postsSegment);
  if (isReserved)
    throw fieldError(
      field,
      say('{path} is used by the site itself. Choose another address for the posts.', { path: postsPath }),
    );
  const taken = await db.post.findUnique({ where: { slug: postsPath }, select: { title: true } });
  if (taken) throw fieldError(field, about(postsPath, isUsed(taken.title)));
}
