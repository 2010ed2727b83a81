import type { App } from '#app/app.ts';
import { postsKnownTo, roles } from '#app/people/roles.ts';
import { oneOf } from '#app/platform/narrow.ts';
import { postFields, type PostFieldName, type PostFields, formValues } from '#app/posts/fields/fields.ts';
import type { ShownLine } from '#app/posts/history/compare-texts.ts';
import { diffFields } from '#app/posts/history/changes.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { instantText } from '#app/ui/time.tsx';

/** The difference of one field as a screen shows it. */
export type ShownDifference = { field?: PostFieldName; label: string } & (
  | { kind: 'text'; lines: ShownLine[] }
  | { kind: 'list'; added: string[]; removed: string[] }
  | { kind: 'value'; before: string; after: string }
);

/** The differences between two texts of a post, with names instead of ids and with local times. */
export async function describeDifferences(
  app: Pick<App, 'db' | 'workers'>,
  before: PostFields,
  after: PostFields,
  reader: { timeZone: string; language: string; user: { id: string; role: string } | null },
): Promise<ShownDifference[]> {
  const [old, current] = [formValues(before, reader.timeZone), formValues(after, reader.timeZone)];
  const { user } = reader;
  const known = user ? postsKnownTo({ id: user.id, role: oneOf(roles, user.role) }) : isPublic;
  const name = async (field: string, value: string) => {
    if (field === 'categoryId' && value)
      return (await app.db.category.findUnique({ where: { id: value } }))?.name ?? 'a removed category';
    if (field === 'coverMediaId' && value)
      return (await app.db.media.findUnique({ where: { id: value } }))?.originalName ?? 'a removed image';
    if (field === 'parentId' && value)
      return (await app.db.post.findFirst({ where: { id: value, ...known } }))?.title ?? 'a removed page';
    return value || '(none)';
  };
  return Promise.all(
    diffFields(before, after).map(async (diff): Promise<ShownDifference> => {
      const { field } = diff;
      const { label } = postFields[field];
      if (diff.kind === 'text')
        return { field, label, kind: 'text', lines: await app.workers.compareTexts(diff.before, diff.after) };
      if (diff.kind === 'list') return { label, ...diff };
      const inWords = (value: string | Date | null, stored: Record<string, string>) =>
        value instanceof Date ? instantText(value, reader) : name(field, stored[field] ?? '');
      const [from, to] = await Promise.all([inWords(diff.before, old), inWords(diff.after, current)]);
      return { field, label, kind: 'value', before: from, after: to };
    }),
  );
}
