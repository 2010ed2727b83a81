import type { AccountForm } from '#app/people/accounts/schema.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import type { TermFields } from '#app/posts/terms/form.ts';
import type { TermKind } from '#app/posts/terms/find.server.ts';
import { saveProfile } from '#app/publishing/accounts/change.server.ts';
import type { WantedTexts } from '#app/publishing/releases/texts.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { mergeTags } from '#app/publishing/terms/merge-tags.server.ts';
import { saveTerm } from '#app/publishing/terms/save.server.ts';
import { purgeTerm, restoreTerm, trashTerm } from '#app/publishing/terms/trash.server.ts';
import { readLiveTexts } from '#app/releases/live-texts.server.ts';
import type { TestApp } from './app.ts';
import { createCategory } from './factories.ts';
import type { RandomSite } from './random-plans.ts';
import type { Next } from './random-release.ts';

export const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
];

/** Changes of everything except posts, each with some probability. */
export function randomTexts({ tag, category, editorIds }: RandomSite, next: Next): WantedTexts[] {
  const setting = (subjectId: string, value: string): WantedTexts => ({
    kind: 'setting',
    subjectId,
    texts: { value },
  });
  const wanted: WantedTexts[] = [
    setting('site_title', `Title ${next()}`),
    setting('posts_per_page', String(1 + next())),
    setting('site_timezone', zones[next() % zones.length]!),
    setting('site_languages', next() < 5 ? 'de' : ''),
    setting('posts_path', next() < 5 ? '/stories' : '/'),
    setting('navigation', `Harbour | /tags/harbour\nNumber ${next()} | /posts/post-${next()}`),
    setting('accent_color', `#${String(100_000 + next() * 11_111)}`),
    {
      kind: 'tag',
      subjectId: tag.id,
      texts: { name: `Port ${next()}`, slug: next() < 5 ? 'port' : 'harbour' },
    },
    {
      kind: 'category',
      subjectId: category.id,
      texts: { name: 'Ocean', slug: 'ocean', description: 'Deep' },
    },
    {
      kind: 'author',
      subjectId: editorIds[next() % editorIds.length]!,
      texts: { displayName: `Name ${next()}`, bio: 'New' },
    },
    {
      kind: 'redirect',
      subjectId: '/old/way',
      texts: { to: next() < 5 ? `tag ${tag.id}` : `category ${category.id}` },
    },
  ];
  return wanted.filter(() => next() < 3);
}

/** Makes the change as a form of the backend does, outside any release. */
export async function changeDirectly(app: TestApp, { kind, subjectId, texts }: WantedTexts): Promise<void> {
  const live = await readLiveTexts(app.db, kind, subjectId);
  if (kind === 'setting') await changeSettings(app, { [subjectId]: texts.value });
  else if (kind === 'author')
    await saveProfile(app, byCommand, subjectId, { ...live, ...texts } as unknown as AccountForm);
  else if (kind !== 'redirect')
    await saveTerm(app, kind, subjectId, { ...live, ...texts } as unknown as TermFields);
}

/** Merges one of the tags into another one, if there are two. */
export async function mergeSomeTags(app: TestApp, next: Next): Promise<void> {
  const tags = await app.db.tag.findMany({ select: { id: true }, orderBy: { slug: 'asc' } });
  const [[from], [into]] = [tags.splice(next() % Math.max(1, tags.length), 1), tags.splice(next() % 3, 1)];
  if (from && into) await mergeTags(app, byCommand, { id: from.id, intoId: into.id });
}

/**
 * Trashes a tag, or the category with or without another one that gets its posts. New posts then have another category.
 * What lies in the trash may be restored or purged instead.
 */
export async function trashSomeTerm(app: TestApp, site: RandomSite, next: Next): Promise<void> {
  const trashed = await app.db.trashItem.findFirst({
    where: { kind: { in: ['category', 'tag'] } },
    orderBy: { id: 'asc' },
  });
  if (trashed && next() < 7) {
    const term = { kind: trashed.kind as TermKind, id: trashed.id };
    if (next() < 3) return purgeTerm(app, byCommand, term);
    await restoreTerm(app, byCommand, term);
    return;
  }
  if (next() < 5) return trashTerm(app, byCommand, { kind: 'tag', id: site.tag.id });
  const { id } = site.category;
  site.category = await createCategory(app, { name: `Shore ${next()}` });
  await trashTerm(app, byCommand, { kind: 'category', id, heirId: next() < 5 ? site.category.id : null });
}
