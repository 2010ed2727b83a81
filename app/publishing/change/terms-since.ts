import type { PostFields } from '#app/posts/fields/fields.ts';
import type { RecordedTextChange, RestoredTerm } from './text-changes.server.ts';

type PostTerms = Pick<PostFields, 'tags' | 'categoryId' | 'authors'>;

/** A stored tag. Tags may take each other's names, so the first change of a tag with this name says which one it is. */
interface Tag {
  name: string;
  id?: string;
}

interface Terms {
  tags: readonly Tag[];
  categoryId: string | null;
  authors: readonly string[];
}

/**
 * The tags, the category and the authors of a post, brought up to date after one of its saves: a revision stores those
 * of its own time.
 * @param changes what is recorded until the instant, oldest first
 */
export function termsSince(
  changes: readonly RecordedTextChange[],
  post: { id: string; terms: PostTerms; savedAt: Date },
): PostTerms {
  // A rollback first writes its posts and then renames tags, at the same time. If the tags were renamed first, the
  // revision already has their new names.
  const { tags, categoryId, authors } = changes
    .filter(({ at }) => at >= post.savedAt)
    .reduce((terms, change) => afterChange(terms, change, post.id), asTerms(post.terms));
  return { tags: tags.map(({ name }) => name), categoryId, authors: [...authors] };
}

function asTerms({ tags = [], categoryId = null, authors = [] }: Partial<PostTerms>): Terms {
  return { tags: tags.map((name) => ({ name })), categoryId, authors };
}

/**
 * The same among stored fields of a change that waits. Unlike a post, it also gets a tag back that was in the trash in
 * the meantime: only the change knows that it wants the tag.
 * @param changes what is recorded until now, oldest first
 */
export function plannedTermsSince(
  changes: readonly RecordedTextChange[],
  { fields, savedAt }: { fields: Partial<PostFields>; savedAt: Date },
): Partial<PostFields> {
  const later = changes.filter(({ at }) => at >= savedAt);
  const terms = later.reduce((current, change, index) => {
    if (change.kind === 'restored_term') return current;
    const back = change.kind === 'trashed_term' && findRestored(later.slice(index), change.subjectId);
    return back ? afterRestore(current, back) : afterChange(current, change, '');
  }, asTerms(fields));
  return {
    ...fields,
    ...(fields.tags && { tags: [...new Set(terms.tags.map(({ name }) => name))] }),
    ...(fields.categoryId && { categoryId: terms.categoryId }),
    ...(fields.authors && { authors: [...terms.authors] }),
  };
}

const findRestored = (changes: readonly RecordedTextChange[], id: string) =>
  changes.find(
    (change): change is RestoredTerm & { at: Date } =>
      change.kind === 'restored_term' && change.subjectId === id,
  );

/** A term that came back from the trash may have become another one, which has its address now. */
function afterRestore(terms: Terms, { subjectId, as, term, termKind }: RestoredTerm): Terms {
  if (termKind === 'category')
    return terms.categoryId === subjectId ? { ...terms, categoryId: as.id } : terms;
  return { ...terms, tags: replaced(terms.tags, { id: subjectId, name: term.name }, as) };
}

/** Whether a stored tag is this one. */
const isTag = (stored: Tag, { id, name }: Tag) =>
  stored.id === undefined ? stored.name === name : stored.id === id;

const without = (tags: readonly Tag[], tag: Tag) => tags.filter((stored) => !isTag(stored, tag));

const replaced = (tags: readonly Tag[], tag: Tag, by: Tag) =>
  tags.map((stored) => (isTag(stored, tag) ? by : stored));

function afterChange(terms: Terms, change: RecordedTextChange, postId: string): Terms {
  const { tags, categoryId } = terms;
  switch (change.kind) {
    case 'tag': {
      const { subjectId: id } = change;
      const { before, after } = change.texts;
      if (!before.name || !after.name) return terms;
      return { ...terms, tags: replaced(tags, { id, name: before.name }, { id, name: after.name }) };
    }
    case 'author': {
      const { before, after } = change.texts;
      // Whoever is deleted becomes a guest.
      const name = after.username ?? before.displayName;
      if (!before.username || !name) return terms;
      return {
        ...terms,
        authors: terms.authors.map((author) => (author === before.username ? name : author)),
      };
    }
    case 'merged_tag': {
      // Of two merged tags, a post keeps the position of the one that remains.
      const merged = { id: change.subjectId, name: change.tag.name };
      const into = { id: change.tag.heirId ?? undefined, name: change.intoName };
      const hasBoth = tags.some((stored) => isTag(stored, into));
      return { ...terms, tags: hasBoth ? without(tags, merged) : replaced(tags, merged, into) };
    }
    case 'trashed_term': {
      const { subjectId, termKind, term } = change;
      if (termKind === 'tag') return { ...terms, tags: without(tags, { id: subjectId, name: term.name }) };
      return categoryId === subjectId ? { ...terms, categoryId: term.heirId } : terms;
    }
    case 'restored_term': {
      if (!change.posts.some(([id]) => id === postId)) return terms;
      const { as, term, termKind } = change;
      if (termKind === 'category') return { ...terms, categoryId: as.id };
      const position = term.posts.find(([id]) => id === postId)?.[1] ?? 0;
      return { ...terms, tags: without(tags, as).toSpliced(position, 0, as) };
    }
    default:
      return terms;
  }
}
