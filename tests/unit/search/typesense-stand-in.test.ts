import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import recorded from '#tests/support/typesense/recorded.json' with { type: 'json' };
import { startTypesenseStandIn, type TypesenseStandIn } from '#tests/support/typesense-stand-in.ts';

// `recorded.json`: requests to a real Typesense 30 and what matters of its answers, in their order.
describe('the Typesense stand-in answers as the real one did', () => {
  let standIn: TypesenseStandIn;
  beforeAll(async () => {
    standIn = await startTypesenseStandIn('testkey');
  });
  afterAll(() => standIn.stop());

  it.each(recorded)('$label', async ({ method, path, key, body, status, answer }) => {
    const headers: HeadersInit = key ? { 'x-typesense-api-key': key } : {};
    const response = await fetch(standIn.url + path, { method, headers, body });
    expect({ status: response.status, answer: essence(parse(await response.text())) }).toEqual({
      status,
      answer,
    });
  });
});

interface SearchAnswer {
  found: number;
  hits: { document: { id: string }; highlight: Record<string, { matched_tokens?: string[] }> }[];
  facet_counts: { field_name: string; counts: { value: string; count: number }[] }[];
}

/** An answer without what differs from run to run. */
function essence(answer: unknown): unknown {
  if (typeof answer === 'string') return answer.split('\n').map(parse).map(withoutParserTalk);
  if (Array.isArray(answer)) return answer.map(essence);
  if (typeof answer !== 'object' || answer === null) return answer;
  if ('success' in answer) return [answer];
  if ('hits' in answer) return searchEssence(answer as unknown as SearchAnswer);
  if ('num_documents' in answer && 'name' in answer) return { name: answer.name, n: answer.num_documents };
  if ('results' in answer) return essence(answer.results);
  if ('author' in answer && 'id' in answer) return answer.id;
  return answer;
}

function searchEssence({ found, hits, facet_counts }: SearchAnswer): object {
  return {
    found,
    ids: hits.map(({ document }) => document.id),
    matched: hits.map(({ highlight }) =>
      Object.fromEntries(
        Object.entries(highlight).map(([field, { matched_tokens }]) => [field, matched_tokens?.length]),
      ),
    ),
    facets: facet_counts.map(({ field_name, counts }) => [
      field_name,
      counts.map(({ value, count }) => [value, count]).sort(),
    ]),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withoutParserTalk(line: unknown): unknown {
  const { error } = (line ?? {}) as { error?: string };
  return error?.startsWith('Bad JSON: [') ? { bad: 1 } : line;
}
