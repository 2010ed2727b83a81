import * as z from 'zod';
import type { FacetCount } from '../engine.ts';

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
