import type { DialectName } from './dialects.ts';

/** A note when a dialect's rules leave out more Markdown files than they take. Files of themes do not count. */
export function leftOutNote(readable: string[], posts: string[], dialect: DialectName): string[] {
  const taken = new Set(posts);
  const left = readable.filter((file) => !taken.has(file) && !/(^|\/)themes\//.test(file));
  if (posts.length === 0 || left.length <= posts.length) return [];
  return [
    `${left.length} Markdown files were left out, since ${dialect} shows none of them as a post (the first: ${left[0]!}). --report names each; --dialect markdown takes them all.`,
  ];
}
