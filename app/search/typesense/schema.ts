import * as z from 'zod';
import type { SearchDocument, FacetCount } from '#app/search/engine.ts';
import { analyse } from '#app/search/words.ts';

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
type StoredDocument = SearchDocument & Record<(typeof WORD_FIELDS)[number], string>;

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

const matchedField = z.object({ matched_tokens: z.array(z.string()).default([]) });

/** An answer inside `multi_search`. The error of one search is inside an answer with status 200. */
const searchAnswer = z.union([
  z.object({ code: z.number(), error: z.string() }),
  z.object({
    found: z.number().int(),
    hits: z
      .array(
        z.object({
          document: z.object({ id: z.string() }),
          highlight: z.record(z.string(), matchedField.catch({ matched_tokens: [] })).default({}),
        }),
      )
      .default([]),
    facet_counts: z
      .array(
        z.object({
          field_name: z.string(),
          counts: z.array(z.object({ value: z.string(), count: z.number().int() })),
        }),
      )
      .default([]),
  }),
]);

export const searchAnswers = z.object({ results: z.array(searchAnswer) });

export type SearchAnswer = Exclude<z.infer<typeof searchAnswer>, { error: string }>;

/** A line of an import's answer. */
export const importAnswer = z.object({
  success: z.boolean(),
  code: z.number().optional(),
  error: z.string().optional(),
});

/** A line of an export. Documents that another program wrote may have only an id. */
export const exportedEntry = z.object({
  id: z.string(),
  slug: z.string().catch(''),
  hash: z.string().catch(''),
});

/** The answer of `/health`. A node that is short of a resource reports it and still answers searches. */
export const healthAnswer = z.object({ ok: z.boolean(), resource_error: z.string().optional() });

/** The used parts of a collection's description. */
export const collectionAnswer = z.object({
  name: z.string(),
  num_documents: z.number().int(),
  metadata: z.object({ dateline: z.number().optional() }).optional().catch(undefined),
});

/** The counts of a facet field, most frequent first. */
export function facetOf(answer: SearchAnswer, field: string): FacetCount[] {
  const counts = answer.facet_counts.find(({ field_name }) => field_name === field)?.counts ?? [];
  return counts
    .filter(({ value }) => value !== '')
    .map(({ value, count }) => ({ id: value, count }))
    .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
}
