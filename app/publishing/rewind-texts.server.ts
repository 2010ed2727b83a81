import { randomUUID } from 'node:crypto';
import type { SettingKey } from '#app/settings/catalogue.ts';
import { readTextUndo, type TextSnapshot, type Undo } from '#app/releases/item-changes.ts';
import { textKinds, type TextKind } from '#app/releases/live-texts.server.ts';
import { postsPathOf } from '#app/settings/posts-path.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { termTable, type TermKind } from '#app/taxonomy/term-table.server.ts';
import { writeTexts } from './apply-release-texts.server.ts';
import { changePublicContent, type PublicChange, type PublishingContext } from './public-change.server.ts';
import { followLanguages } from './site-settings.server.ts';
import { termPath } from './terms.server.ts';

/** What a release made of one thing. */
interface ReleasedTexts {
  kind: TextKind;
  subjectId: string;
  texts: Undo<TextSnapshot>;
}

/**
 * Takes settings, terms, authors and redirects of a copy back to an instant where a release changed them; of others
 * nothing is kept.
 */
export async function rewindTexts(scratch: PublishingContext, instant: Date): Promise<void> {
  const later = await readReleased(scratch, { gt: instant }, 'desc');
  if (later.length === 0) return;
  const earlier = await readReleased(scratch, { lte: instant }, 'asc');
  await changePublicContent(scratch, async (change) => {
    change.affectsEveryPage();
    for (const { kind, subjectId, texts } of later) {
      if (!isTerm(kind)) {
        await writeTexts(change, kind, subjectId, texts.before);
        continue;
      }
      const [slug, left] = [texts.before.slug, texts.after.slug];
      if (slug) await freeTermSlug(change, { kind, id: subjectId, slug }, instant);
      await writeTexts(change, kind, subjectId, texts.before);
      // The address of later led nowhere yet, unless the term had been there before.
      const wasThere = earlier.some(
        (known) =>
          known.subjectId === subjectId && [known.texts.before.slug, known.texts.after.slug].includes(left),
      );
      if (left && left !== slug && !wasThere)
        await change.tx.redirect.deleteMany({ where: { path: termPath[kind](left) } });
    }
    await rewindOldPostsPaths(change, earlier, later);
    if (later.some(({ subjectId }) => subjectId === 'site_languages')) await followLanguages(change);
  });
}

async function readReleased(
  { db }: PublishingContext,
  publishedAt: { gt: Date } | { lte: Date },
  order: 'asc' | 'desc',
): Promise<ReleasedTexts[]> {
  const items = await db.releaseItem.findMany({
    where: {
      kind: { in: [...textKinds] },
      undo: { not: null },
      release: { status: 'published', publishedAt },
    },
    orderBy: [{ release: { publishedAt: order } }],
  });
  return items.flatMap(({ kind, subjectId, undo }) => {
    const texts = readTextUndo(undo);
    return texts ? [{ kind: kind as TextKind, subjectId, texts }] : [];
  });
}

function isTerm(kind: TextKind): kind is TermKind {
  return kind === 'category' || kind === 'tag';
}

/**
 * A term that took the address since gives it back, and so does one that lies in the trash by now. A term that was not
 * there yet goes: a post's tags are found by their names.
 */
async function freeTermSlug(
  { tx }: PublicChange,
  { kind, id: termId, slug }: { kind: TermKind; id: string; slug: string },
  instant: Date,
): Promise<void> {
  const others = { slug, id: { not: termId } };
  await termTable(tx, kind).deleteMany({ where: { ...others, createdAt: { gt: instant } } });
  await termTable(tx, kind).updateMany({ where: others, data: { slug: `${slug}-${randomUUID()}` } });
  await tx.trashItem.deleteMany({ where: { path: termPath[kind](slug), id: { not: termId } } });
}

/**
 * Addresses that the list of posts left later did not lead to it then; those that it had left did, also where it is at one
 * of them again.
 */
async function rewindOldPostsPaths(
  { tx, now }: PublicChange,
  earlier: readonly ReleasedTexts[],
  later: readonly ReleasedTexts[],
): Promise<void> {
  const leftBy = (released: readonly ReleasedTexts[]) =>
    released.flatMap(({ subjectId, texts }) =>
      subjectId === 'posts_path' ? [texts.before.value ?? '/'] : [],
    );
  const [known, left] = [leftBy(earlier), leftBy(later)];
  if (left.length === 0) return;
  const settings = await readSettings({ db: tx });
  const still = settings.old_posts_paths.filter((path) => known.includes(path) || !left.includes(path));
  const kept = new Set([...still, ...known]);
  for (const path of ['/', postsPathOf(settings)]) kept.delete(path);
  const key = 'old_posts_paths' satisfies SettingKey;
  await tx.setting.updateMany({ where: { key }, data: { value: [...kept].join('\n'), updatedAt: now } });
}
