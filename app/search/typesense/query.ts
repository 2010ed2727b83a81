import type { EngineQuery, MatchedWords } from '#app/search/engine.ts';
import { allowedTypos, replaceWords, typosBetween, type QueryTerm } from '#app/search/words.ts';
import { EXCLUDED_FIELDS, WORD_FIELDS } from './schema.ts';

const FACETS_MAX = 20;
/** How many words a typed beginning may stand for. Typesense's default is a few: `con` then finds 70 of 115 posts. */
const CANDIDATES_MAX = 1_000;

/** The searches of a `multi_search`: the page first, then one for each facet that must disregard its own filter. */
export function searchesOf(query: EngineQuery, terms: QueryTerm[], collection: string) {
  const common = {
    ...wordOptions(terms),
    collection,
    ...(query.excludedIds.length > 0 ? { hidden_hits: query.excludedIds.join(',') } : {}),
  };
  const page = {
    ...common,
    ...filterOf(query),
    facet_by: 'categoryId,tagIds',
    max_facet_values: FACETS_MAX,
    offset: query.offset,
    limit: query.limit,
    exclude_fields: EXCLUDED_FIELDS.join(','),
    // Named, because a field that is left out of the answer would also be left out of the highlights.
    highlight_fields: WORD_FIELDS.join(','),
    highlight_affix_num_tokens: 0,
    enable_highlight_v1: false,
  };
  const facet = (field: string, without: Partial<EngineQuery>) => ({
    ...common,
    ...filterOf({ ...query, ...without }),
    facet_by: field,
    max_facet_values: FACETS_MAX,
    per_page: 0,
  });
  return {
    page,
    categories: query.categoryId === null ? null : facet('categoryId', { categoryId: null }),
    tags: query.tagId === null ? null : facet('tagIds', { tagId: null }),
  };
}

function wordOptions(terms: QueryTerm[]) {
  const last = terms.at(-1)!;
  const lastWord = last.words.at(-1)!;
  const isGrowing = last.spaceless ? [...lastWord].length === 1 : lastWord.length > 1;
  return {
    q: terms.flatMap(({ words }) => words).join(' '),
    query_by: WORD_FIELDS.join(','),
    query_by_weights: '8,6,5,1',
    // Title before excerpt before body, whatever the distance of the words.
    text_match_type: 'max_weight' as const,
    prefix: isGrowing,
    max_candidates: CANDIDATES_MAX,
    // A pair of a run without spaces has two characters, but several bytes: Typesense would allow typos in it.
    num_typos: terms.some(({ spaceless }) => spaceless) ? 0 : 2,
    min_len_1typo: 4,
    min_len_2typo: 7,
    drop_tokens_threshold: 1,
    typo_tokens_threshold: 1,
    sort_by: '_text_match:desc,publishedAt:desc',
    search_cutoff_ms: 1_500,
  };
}

function filterOf({ categoryId, tagId }: Pick<EngineQuery, 'categoryId' | 'tagId'>) {
  const parts: string[] = [];
  if (categoryId !== null) parts.push(`categoryId:=${quoted(categoryId)}`);
  if (tagId !== null) parts.push(`tagIds:=${quoted(tagId)}`);
  return parts.length > 0 ? { filter_by: parts.join(' && ') } : {};
}

/** A filter for documents with these ids. */
export function idFilter(ids: string[]): string {
  return `id:[${ids.map(quoted).join(',')}]`;
}

/** Whether `idFilter` works for this document: a backtick would end the quotes, and Typesense has no escape. */
export function isFilterable(id: string): boolean {
  return !id.includes('`');
}

function quoted(value: string): string {
  return `\`${value.replaceAll('`', '')}\``;
}

/** The words to mark: those of the query, and those that the engine found for them. */
export function matchedWords(terms: QueryTerm[], found: string[]): MatchedWords {
  const queryWords = terms.flatMap(({ words }) => words);
  const last = terms.at(-1)!;
  return {
    words: [...new Set([...queryWords, ...found])],
    prefixes: last.spaceless && [...last.words.at(-1)!].length > 1 ? [] : [last.words.at(-1)!],
  };
}

/** The query with the words that the engine found instead of unknown ones; null when it found the typed words. */
export function correctedText(text: string, terms: QueryTerm[], found: string[]): string | null {
  const corrections = terms.flatMap((term) => {
    const [typed = ''] = term.words;
    const allowed = allowedTypos(typed);
    if (term.spaceless || allowed === 0 || found.some((word) => word.startsWith(typed))) return [];
    const near = found
      .map((word) => ({ word, typos: typosBetween(typed, word, allowed) }))
      .filter(({ typos }) => typos <= allowed)
      .sort((a, b) => a.typos - b.typos);
    return near[0] ? [{ ...term, word: near[0].word }] : [];
  });
  if (corrections.length === 0) return null;
  return replaceWords(text, corrections).replace(/\s+/g, ' ').trim();
}
