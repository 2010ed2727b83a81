import { pathsOf } from '#app/media/library/queries.server.ts';
import type { Media } from '#app/media/library/store-media.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { say, type FilledText } from '#app/platform/message.ts';
import { isUnpublished } from '#app/releases/release.ts';
import type { SettingKey } from '#app/settings/catalogue.ts';

const RELEASES_NAMED = 5;
const PICTURES: SettingKey[] = ['site_logo', 'site_icon'];

/**
 * Checks that only posts use a picture: not the site's header, nor a category, tag or author.
 * @throws AppError `invalid_input`, with the name of the other use
 */
export async function requireOnlyInPosts(tx: Transaction, media: Media): Promise<void> {
  if ((await tx.setting.count({ where: pictureOfSite(media) })) > 0)
    throw new AppError('invalid_input', 'This is the site’s logo. Choose another in the settings first.');
  const where = pictureOf(media);
  const select = { name: true } as const;
  const category = await tx.category.findFirst({ where, select });
  if (category) throw inUse(say('the category “{name}”', { name: category.name }));
  const tag = await tx.tag.findFirst({ where, select });
  if (tag) throw inUse(say('the tag “{name}”', { name: tag.name }));
  const author = await tx.user.findFirst({ where, select: { displayName: true } });
  if (author) throw inUse(say('the author “{name}”', { name: author.displayName }));
}

/** Replaces a picture by another one everywhere except in posts. @returns whether readers see a difference */
export async function replaceOutsidePosts(
  tx: Transaction,
  old: Media,
  successor: Media,
  now: Date,
): Promise<boolean> {
  const picture = `/uploads/${successor.path}`;
  const changed = await Promise.all([
    tx.setting.updateMany({ where: pictureOfSite(old), data: { value: picture, updatedAt: now } }),
    tx.category.updateMany({ where: pictureOf(old), data: { picture, updatedAt: now } }),
    tx.tag.updateMany({ where: pictureOf(old), data: { picture, updatedAt: now } }),
    tx.user.updateMany({ where: pictureOf(old), data: { picture, updatedAt: now } }),
  ]);
  return changed.some(({ count }) => count > 0);
}

/** Replaces a file in the changes of unpublished releases. A publication that has read them already is refused. */
export async function replaceInReleases(
  tx: Transaction,
  media: Media,
  replace: (stored: string) => string,
): Promise<void> {
  const items = await tx.releaseItem.findMany({
    where: inReleases(media),
    select: { id: true, releaseId: true, fields: true },
  });
  const releaseIds = [...new Set(items.map(({ releaseId }) => releaseId))];
  await tx.release.updateMany({ where: { id: { in: releaseIds } }, data: { version: { increment: 1 } } });
  for (const { id, fields } of items)
    await tx.releaseItem.update({ where: { id }, data: { fields: replace(fields) } });
}

/** @throws AppError `invalid_input` if an unpublished release contains a change with this file */
export async function requireInNoRelease(tx: Transaction, media: Media): Promise<void> {
  const { release, OR } = inReleases(media);
  const releases = await tx.release.findMany({
    where: { ...release, items: { some: { OR } } },
    select: { name: true },
    orderBy: { id: 'desc' },
    take: RELEASES_NAMED,
  });
  if (releases.length === 0) return;
  const names = releases.map(({ name }) => `“${name}”`).join(', ');
  throw new AppError(
    'invalid_input',
    say('Changes in releases use this file: {names}. Change them first.', { names }),
  );
}

/** Stored changes are JSON, which contains ids and paths as they are. */
function inReleases(media: Media) {
  const names = [media.id, ...addressesOf(media)];
  return {
    release: isUnpublished,
    OR: names.map((name) => ({ fields: { contains: name } })),
  };
}

/** Whether a category or tag has this picture. Its page shows the picture at the top. */
export async function isPictureOfTerm(tx: Transaction, media: Media): Promise<boolean> {
  const where = pictureOf(media);
  return (await tx.category.count({ where })) + (await tx.tag.count({ where })) > 0;
}

/** Whether a category, a tag, an account or the site has this picture. Their pages show its description. */
export async function isPictureOutsidePosts(tx: Transaction, media: Media): Promise<boolean> {
  if (await isPictureOfTerm(tx, media)) return true;
  const others = await tx.user.count({ where: pictureOf(media) });
  return others + (await tx.setting.count({ where: pictureOfSite(media) })) > 0;
}

function pictureOfSite(media: Media) {
  return { key: { in: PICTURES }, value: { in: addressesOf(media) } };
}

function pictureOf(media: Media) {
  return { picture: { in: addressesOf(media) } };
}

function addressesOf(media: Media): string[] {
  return pathsOf(media).map((path) => `/uploads/${path}`);
}

function inUse(owner: FilledText): AppError {
  return new AppError(
    'invalid_input',
    say('This is the picture of {place}. Choose another there first.', { place: owner }),
  );
}
