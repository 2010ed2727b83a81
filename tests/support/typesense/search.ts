import { Refusal, type Collection, type StoredDocument } from './collections.ts';
import { documentFilter } from './filter.ts';
import { typos } from './tokens.ts';

export type SearchParameters = Record<string, string | number | boolean | undefined>;

/**
 * A search as Typesense 30 answers it: all words must match (the last one also as a beginning); typos are looked
 * for only where nothing matched, then words are dropped from the right. The score is put together as recorded in
 * `text_match_info`: words matched, then (for `max_weight`) the field's weight before its score.
 */
export function searchCollection(collection: Collection, parameters: SearchParameters): object {
  const text = String(parameters.q ?? '');
  const perPage = unsigned(parameters, 'per_page', Number(parameters.limit ?? 10));
  const page = unsigned(parameters, 'page', 1);
  const offset = unsigned(parameters, 'offset', Math.max(0, page - 1) * perPage);
  if (perPage > 250) throw new Refusal(422, 'Only upto 250 hits can be fetched per page.');
  const fields = fieldsOf(collection, parameters);
  const keep = documentFilter(collection, String(parameters.filter_by ?? ''));
  const hidden = new Set(String(parameters.hidden_hits ?? '').split(','));
  const documents = [...collection.documents.values()].filter((each) => !hidden.has(each.id) && keep(each));
  const found = findDocuments(collection, parameters, fields, documents, text);
  const sorting = collection.schema.default_sorting_field ?? '';
  found.sort(
    (a, b) =>
      (b.score > a.score ? 1 : b.score < a.score ? -1 : 0) ||
      Number(b.document[sorting] ?? 0) - Number(a.document[sorting] ?? 0),
  );
  return {
    facet_counts: facetCounts(
      collection,
      parameters,
      found.map(({ document }) => document),
    ),
    found: found.length,
    hits: found.slice(offset, offset + perPage).map((match) => hitOf(parameters, match)),
    out_of: collection.documents.size,
    page,
    request_params: { collection_name: collection.schema.name, first_q: text, per_page: perPage, q: text },
    search_cutoff: false,
    search_time_ms: 0,
  };
}

interface WeightedField {
  name: string;
  weight: number;
}

interface Match {
  document: StoredDocument;
  score: bigint;
  /** Field → the tokens, or their beginnings, that matched. */
  tokens: Map<string, string[]>;
}

function fieldsOf(collection: Collection, parameters: SearchParameters): WeightedField[] {
  const names = String(parameters.query_by ?? '')
    .split(',')
    .filter((name) => name !== '');
  if (names.length === 0 && parameters.q !== '*')
    throw new Refusal(400, 'No search fields specified for the query.');
  const weights = String(parameters.query_by_weights ?? '')
    .split(',')
    .filter((weight) => weight !== '');
  if (weights.length > 0 && weights.length !== names.length)
    throw new Refusal(
      400,
      'Number of weights in `query_by_weights` does not match number of `query_by` fields.',
    );
  return names.map((name, index) => {
    const field = collection.field(name);
    if (!field) throw new Refusal(404, `Could not find a field named \`${name}\` in the schema.`);
    if (field.index === false)
      throw new Refusal(400, `Field \`${name}\` is marked as a non-indexed field in the schema.`);
    if (!field.type.startsWith('string'))
      throw new Refusal(400, `Field \`${name}\` should be a string or a string array.`);
    return { name, weight: weights.length > 0 ? Number(weights[index]) : 15 - index };
  });
}

function findDocuments(
  collection: Collection,
  parameters: SearchParameters,
  fields: WeightedField[],
  documents: StoredDocument[],
  text: string,
): Match[] {
  const words = text === '*' ? [] : collection.tokenize(text);
  // Empty, absent or nothing but symbols: everything.
  if (words.length === 0) return documents.map((document) => ({ document, score: 0n, tokens: new Map() }));
  const maxTypos = Number(parameters.num_typos ?? 2);
  for (let count = words.length; count > 0; count -= 1) {
    for (let allowed = 0; allowed <= maxTypos; allowed += 1) {
      const asked = words.slice(0, count).map((word, index) => ({
        word,
        typos: Math.min(allowed, typosOf(parameters, word)),
        prefix: String(parameters.prefix ?? 'true') === 'true' && index === words.length - 1,
      }));
      const found = documents.flatMap(
        (document) => matchOf(collection, parameters, fields, document, asked) ?? [],
      );
      if (found.length > 0) return found;
    }
    if (Number(parameters.drop_tokens_threshold ?? 1) === 0) break;
  }
  return [];
}

function typosOf(parameters: SearchParameters, word: string): number {
  if (word.length >= Number(parameters.min_len_2typo ?? 7)) return 2;
  return word.length >= Number(parameters.min_len_1typo ?? 4) ? 1 : 0;
}

interface AskedWord {
  word: string;
  typos: number;
  prefix: boolean;
}

function matchOf(
  collection: Collection,
  parameters: SearchParameters,
  fields: WeightedField[],
  document: StoredDocument,
  asked: AskedWord[],
): Match | null {
  const matched = new Set<number>();
  const tokens = new Map<string, string[]>();
  const scores: { weight: number; score: bigint }[] = [];
  for (const { name, weight } of fields) {
    const own = collection.tokensOf(document, name);
    const places: number[] = [];
    const texts: string[] = [];
    let cost = 0;
    for (const [index, word] of asked.entries()) {
      const best = bestToken(own, word);
      if (!best) continue;
      matched.add(index);
      places.push(best.place);
      cost += best.cost;
      texts.push(...best.texts);
    }
    if (places.length === 0) continue;
    tokens.set(name, texts);
    const spread = Math.min(100, Math.max(...places) - Math.min(...places) - (places.length - 1));
    const verbatim = places.length === asked.length && own.length === asked.length && cost === 0 ? 1n : 0n;
    const present = BigInt(places.length);
    const score =
      (present << 40n) |
      (present << 32n) |
      (BigInt(255 - cost) << 24n) |
      (BigInt(100 - spread) << 16n) |
      (verbatim << 12n);
    scores.push({ weight, score });
  }
  if (matched.size < asked.length) return null;
  const byWeight = parameters.text_match_type === 'max_weight';
  const best = scores.reduce((a, b) => {
    const better = byWeight
      ? b.weight > a.weight
      : b.score > a.score || (b.score === a.score && b.weight > a.weight);
    return better ? b : a;
  });
  const ranked = byWeight
    ? (BigInt(best.weight) << 51n) | (best.score << 3n)
    : (best.score << 11n) | (BigInt(best.weight) << 3n);
  return {
    document,
    score: (BigInt(matched.size) << 59n) | ranked | BigInt(Math.min(7, scores.length)),
    tokens,
  };
}

function bestToken(own: string[], { word, typos: allowed, prefix }: AskedWord) {
  let best: { place: number; cost: number } | undefined;
  const texts: string[] = [];
  for (const [place, token] of own.entries()) {
    const head = prefix ? token.slice(0, word.length) : token;
    const wrong =
      token === word
        ? 0
        : Math.min(distance(word, token, allowed), prefix ? distance(word, head, allowed) : 99);
    if (wrong > allowed) continue;
    const cost = wrong * 2 + (token.length > word.length && prefix && wrong === 0 ? 1 : 0);
    texts.push(wrong === 0 && prefix ? head : token);
    if (!best || cost < best.cost) best = { place, cost };
  }
  return best && { ...best, texts };
}

function distance(a: string, b: string, allowed: number): number {
  if (allowed === 0) return a === b ? 0 : 99;
  return Math.abs(a.length - b.length) > allowed ? 99 : typos(a, b);
}

function hitOf(parameters: SearchParameters, { document, score, tokens }: Match): object {
  const left = new Set(String(parameters.exclude_fields ?? '').split(','));
  const only = parameters.include_fields === undefined ? null : String(parameters.include_fields).split(',');
  const shown = Object.fromEntries(
    Object.entries(document).filter(([name]) => !left.has(name) && (only?.includes(name) ?? true)),
  );
  // Named fields are highlighted also when they are left out of the document; others only when they are in it.
  const named =
    parameters.highlight_fields === undefined ? null : String(parameters.highlight_fields).split(',');
  const isMarked = (name: string) =>
    named?.includes(name) ?? (!left.has(name) && (only?.includes(name) ?? true));
  const highlight = Object.fromEntries(
    [...tokens]
      .filter(([name]) => isMarked(name))
      .map(([name, texts]) => [
        name,
        { matched_tokens: texts, snippet: texts.map((each) => `<mark>${each}</mark>`).join(' ') },
      ]),
  );
  return { document: shown, highlight, text_match: Number(score) };
}

function facetCounts(
  collection: Collection,
  parameters: SearchParameters,
  documents: StoredDocument[],
): object[] {
  const names = String(parameters.facet_by ?? '')
    .split(',')
    .filter((name) => name !== '');
  return names.map((name) => {
    if (!collection.field(name)?.facet)
      throw new Refusal(404, `Could not find a facet field named \`${name}\` in the schema.`);
    const counts = new Map<string, number>();
    for (const document of documents)
      for (const value of ([] as unknown[]).concat(document[name])) {
        if (value !== undefined) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
      }
    const sorted = [...counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, Number(parameters.max_facet_values ?? 10));
    return {
      field_name: name,
      counts: sorted.map(([value, count]) => ({ count, highlighted: value, value })),
      sampled: false,
      stats: { total_values: sorted.length },
    };
  });
}

function unsigned(parameters: SearchParameters, name: string, fallback: number): number {
  const value = parameters[name];
  if (value === undefined) return fallback;
  if (!/^\d+$/.test(String(value)))
    throw new Refusal(400, `Parameter \`${name}\` must be an unsigned integer.`);
  return Number(value);
}
