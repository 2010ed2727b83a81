import type { PostFields } from '#app/posts/fields.ts';
import type { RecordedTextChange } from './text-changes.server.ts';

type Terms = Pick<PostFields, 'tags' | 'categoryId'>;

/**
 * The tags and the category of a post, brought up to date after one of its saves: a revision stores the terms of its
 * own time.
 * @param changes what is recorded until the instant, oldest first
 */
export function termsSince(
  changes: readonly RecordedTextChange[],
  post: { id: string; terms: Terms; savedAt: Date },
): Terms {
  // A rollback first writes its posts and then renames tags, at the same time. If the tags were renamed first, the
  // revision already has their new names.
  return changes
    .filter(({ at }) => at >= post.savedAt)
    .reduce((terms, change) => afterChange(terms, change, post.id), post.terms);
}

/**
 * The tags and the category among stored fields of a change that waits, brought up to date. Unlike a post, it also gets a
 * tag back that was in the trash in the meantime: only the change knows that it wants the tag.
 * @param changes what is recorded until now, oldest first
 */
export function plannedTermsSince(
  changes: readonly RecordedTextChange[],
  { fields, savedAt }: { fields: Partial<PostFields>; savedAt: Date },
): Partial<PostFields> {
  const later = changes.filter(({ at }) => at >= savedAt);
  const terms = later.reduce<Terms>(
    (current, change, index) => {
      if (change.kind === 'restored_term') return current;
      const back = change.kind === 'trashed_term' && findRestored(later.slice(index), change.subjectId);
      return back ? afterRestore(current, back) : afterChange(current, change, '');
    },
    { tags: fields.tags ?? [], categoryId: fields.categoryId ?? null },
  );
  return {
    ...fields,
    ...(fields.tags && { tags: [...new Set(terms.tags)] }),
    ...(fields.categoryId && { categoryId: terms.categoryId }),
  };
}

const findRestored = (changes: readonly RecordedTextChange[], id: string) =>
  changes.find((change) => change.kind === 'restored_term' && change.subjectId === id);

/** A term that came back from the trash may have become another one, which has its address now. */
function afterRestore(terms: Terms, restored: RecordedTextChange): Terms {
  if (restored.kind !== 'restored_term') return terms;
  const { subjectId, as, term, termKind } = restored;
  if (termKind === 'category')
    return terms.categoryId === subjectId ? { ...terms, categoryId: as.id } : terms;
  return { ...terms, tags: terms.tags.map((name) => (name === term.name ? as.name : name)) };
}

function afterChange(terms: Terms, change: RecordedTextChange, postId: string): Terms {
  const { tags, categoryId } = terms;
  const without = (removed: string) => tags.filter((name) => name !== removed);
  const renamed = (from: string, to: string) => tags.map((name) => (name === from ? to : name));
  switch (change.kind) {
    case 'tag': {
      const { before, after } = change.texts;
      return before.name && after.name ? { ...terms, tags: renamed(before.name, after.name) } : terms;
    }
    case 'merged_tag': {
      // Of two merged tags, a post keeps the position of the one that remains.
      const { tag, intoName } = change;
      return { ...terms, tags: tags.includes(intoName) ? without(tag.name) : renamed(tag.name, intoName) };
    }
    case 'trashed_term': {
      const { subjectId, termKind, term } = change;
      if (termKind === 'tag') return { ...terms, tags: without(term.name) };
      return categoryId === subjectId ? { ...terms, categoryId: term.heirId } : terms;
    }
    case 'restored_term': {
      if (!change.posts.some(([id]) => id === postId)) return terms;
      const { as, term, termKind } = change;
      if (termKind === 'category') return { ...terms, categoryId: as.id };
      const position = term.posts.find(([id]) => id === postId)?.[1] ?? 0;
      return { ...terms, tags: without(as.name).toSpliced(position, 0, as.name) };
    }
    default:
      return terms;
  }
}
