export const termWords = {
  category: { one: 'category', title: 'Categories', segment: 'categories', publicPath: 'categories' },
  tag: { one: 'tag', title: 'Tags', segment: 'tags', publicPath: 'tags' },
} as const;

export type TermKind = keyof typeof termWords;
