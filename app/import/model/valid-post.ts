import { toStorable } from '#app/platform/text/schemas.ts';
import { shorten } from '#app/posts/markdown/excerpt.ts';
import { sourcePostSchema, type SourcePost, type ValidPost } from './post.ts';

/** Fields without which a post is another one: they are not left out. */
const essential: ReadonlySet<string> = new Set(['body', 'status', 'type', 'comments']);
const TITLE_MAX = 300;

type Checked = { post: ValidPost; warnings: string[] } | { problem: string };

/**
 * Parses a post of a source. Leaves out each optional value that cannot be stored, with a warning, instead of the post.
 */
export function validPost(source: SourcePost): Checked {
  const { post, warnings } = withoutUnstorable(source);
  const parsed = sourcePostSchema.safeParse(post);
  if (parsed.success) return { post: parsed.data, warnings };
  const { issues } = parsed.error;
  const lasting = issues.find(({ path }) => essential.has(String(path[0])));
  if (lasting) return { problem: lasting.message };
  let reduced: SourcePost = post;
  // From the end, so that the indices of earlier items of a list stay right.
  for (const { path, message } of issues.toReversed()) {
    const [name, index] = path as [keyof SourcePost, number | undefined];
    const { value, note } = replacementOf(reduced, name, index);
    warnings.push(`${message} ${note}`);
    reduced = { ...reduced, [name]: value, ...(name === 'publishedAt' ? { status: 'draft' } : {}) };
  }
  const again = sourcePostSchema.safeParse(reduced);
  return again.success
    ? { post: again.data, warnings: [...new Set(warnings)] }
    : { problem: again.error.issues[0]!.message };
}

function replacementOf(
  post: SourcePost,
  name: keyof SourcePost,
  index: number | undefined,
): { value: unknown; note: string } {
  const value = post[name];
  if (name === 'title') {
    const title = shorten(post.title.replace(/\s+/g, ' ').trim(), TITLE_MAX);
    const isShorter = title !== '' && title.length < post.title.length;
    return isShorter
      ? { value: title, note: 'It was cut.' }
      : { value: post.slug || 'Untitled', note: 'The slug was taken instead.' };
  }
  if (name === 'publishedAt') return { value: null, note: 'The post becomes a draft.' };
  if (Array.isArray(value) && index !== undefined)
    return { value: (value as unknown[]).filter((_, at) => at !== index), note: 'It was left out.' };
  const nullable: (keyof SourcePost)[] = ['archiveAt', 'updatedAt', 'category', 'author', 'cover'];
  const blank = name === 'slug' || name === 'excerpt' ? '' : undefined;
  return { value: nullable.includes(name) ? null : blank, note: 'It was left out.' };
}

/** Removes the characters that no database holds, from every text of a post. */
function withoutUnstorable(post: SourcePost): { post: SourcePost; warnings: string[] } {
  const changed = Object.entries(post).flatMap(([name, value]) => {
    const storable = storableValue(value);
    return storable === value ? [] : [[name, storable] as const];
  });
  if (changed.length === 0) return { post, warnings: [] };
  const names = changed.map(([name]) => name).join(', ');
  return {
    post: { ...post, ...Object.fromEntries(changed) },
    warnings: [`Characters that cannot be stored were removed: ${names}.`],
  };
}

/** The value itself if it needs no change. */
function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return toStorable(value);
  if (Array.isArray(value)) {
    const items = value.map(storableValue);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value);
  const storable = entries.map(([name, part]) => [name, storableValue(part)] as const);
  return storable.every(([, part], index) => part === entries[index]![1])
    ? value
    : Object.fromEntries(storable);
}
