import type { SearchDocument } from '../engine.ts';
import { analyse } from '../words.ts';

/** Raised when the schema or the rules for words change. A collection of another version counts as lost. */
export const SCHEMA_VERSION = 1;

/** The indexed fields with folded words, so that both engines find the same in any script. Heaviest first. */
export const WORD_FIELDS = ['words_title', 'words_about', 'words_excerpt', 'words_body'] as const;

/** The fields of the contract's document, which are stored but not indexed. */
const STORED_FIELDS = ['slug', 'title', 'excerpt', 'body', 'category', 'author', 'hash'] as const;

/** Fields that Typesense leaves out of its answers: results are shown from the database. */
export const EXCLUDED_FIELDS = [
  ...WORD_FIELDS,
  ...STORED_FIELDS,
  'tags',
  'publishedAt',
  'categoryId',
  'tagIds',
];

/** A document as Typesense stores it. */
export type StoredDocument = SearchDocument & Record<(typeof WORD_FIELDS)[number], string>;

/** The schema of a collection with that name. */
export function schemaOf(name: string) {
  return {
    name,
    fields: [
      ...WORD_FIELDS.map((field) => ({ name: field, type: 'string' as const })),
      ...STORED_FIELDS.map((field) => ({
        name: field,
        type: 'string' as const,
        index: false,
        optional: true,
      })),
      { name: 'tags', type: 'string[]' as const, index: false, optional: true },
      // The tokenizer leaves ids unchanged. It would change names such as `c` and `C++`.
      { name: 'categoryId', type: 'string' as const, facet: true },
      { name: 'tagIds', type: 'string[]' as const, facet: true },
      { name: 'publishedAt', type: 'int64' as const, sort: true },
    ],
    default_sorting_field: 'publishedAt',
    // `1.31` is one word.
    symbols_to_index: ['.'],
    metadata: { dateline: SCHEMA_VERSION },
  };
}

/** A document with its words. */
export function toStored(document: SearchDocument): StoredDocument {
  return {
    ...document,
    words_title: analyse(document.title),
    words_about: analyse([document.category, ...document.tags, document.author].join('\n')),
    words_excerpt: analyse(document.excerpt),
    words_body: analyse(document.body),
  };
}
