import type { DialectName } from './dialects/dialects.ts';

/** A note when a dialect's rules leave out more Markdown files than they take. Files of themes do not count. */
export function leftOutNote(readable: string[], posts: string[], dialect: DialectName): string[] {
  const imported = new Set(posts);
  const leftOut = readable.filter((file) => !imported.has(file) && !/(^|\/)themes\//.test(file));
  if (posts.length === 0 || leftOut.length <= posts.length) return [];
  return [
    `${leftOut.length} Markdown files were left out, since ${dialect} shows none of them as a post (the first: ${leftOut[0]!}). --report names each; --dialect markdown takes them all.`,
  ];
}
