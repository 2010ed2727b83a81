import { Refusal, type Collection, type StoredDocument } from './collections.ts';
import { documentFilter } from './filter.ts';
import { findDocuments, type Match, type SearchParameters, type WeightedField } from './match.ts';

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

function hitOf(parameters: SearchParameters, { document, score, tokens }: Match): object {
  const excluded = new Set(String(parameters.exclude_fields ?? '').split(','));
  const only = parameters.include_fields === undefined ? null : String(parameters.include_fields).split(',');
  const shown = Object.fromEntries(
    Object.entries(document).filter(([name]) => !excluded.has(name) && (only?.includes(name) ?? true)),
  );
  // Named fields are highlighted also when they are left out of the document; others only when they are in it.
  const named =
    parameters.highlight_fields === undefined ? null : String(parameters.highlight_fields).split(',');
  const isMarked = (name: string) =>
    named?.includes(name) ?? (!excluded.has(name) && (only?.includes(name) ?? true));
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
