import type { Collection, StoredDocument } from './collections.ts';
import { typos } from './tokens.ts';

export type SearchParameters = Record<string, string | number | boolean | undefined>;

export interface WeightedField {
  name: string;
  weight: number;
}

export interface Match {
  document: StoredDocument;
  score: bigint;
  /** Field → the tokens, or their beginnings, that matched. */
  tokens: Map<string, string[]>;
}

/** Finds the documents with all words; typos and fewer words only where nothing else matches. */
export function findDocuments(
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
      const asked = words.slice(0, count).map((word, index) => {
        const prefix = String(parameters.prefix ?? 'true') === 'true' && index === words.length - 1;
        const candidates = prefix ? candidateWords(collection, parameters, fields, word) : null;
        return { word, typos: Math.min(allowed, typosOf(parameters, word)), prefix, candidates };
      });
      const found = documents.flatMap(
        (document) => matchOf(collection, parameters, fields, document, asked) ?? [],
      );
      if (found.length > 0) return found;
    }
    if (Number(parameters.drop_tokens_threshold ?? 1) === 0) break;
  }
  return [];
}

/** A prefix matches only so many of the words that begin with it, unless `max_candidates` is set. */
const FEW_CANDIDATES = 4;

function candidateWords(
  collection: Collection,
  parameters: SearchParameters,
  fields: WeightedField[],
  beginning: string,
): Set<string> {
  const counts = new Map<string, number>();
  for (const document of collection.documents.values())
    for (const { name } of fields)
      for (const token of new Set(collection.tokensOf(document, name)))
        if (token.startsWith(beginning)) counts.set(token, (counts.get(token) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).map(([token]) => token);
  return new Set([beginning, ...frequent.slice(0, Number(parameters.max_candidates ?? FEW_CANDIDATES))]);
}

function typosOf(parameters: SearchParameters, word: string): number {
  if (word.length >= Number(parameters.min_len_2typo ?? 7)) return 2;
  return word.length >= Number(parameters.min_len_1typo ?? 4) ? 1 : 0;
}

interface AskedWord {
  word: string;
  typos: number;
  prefix: boolean;
  /** The longer words that a prefix may stand for. */
  candidates: Set<string> | null;
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
    const positions: number[] = [];
    const texts: string[] = [];
    let cost = 0;
    for (const [index, word] of asked.entries()) {
      const best = bestToken(own, word);
      if (!best) continue;
      matched.add(index);
      positions.push(best.place);
      cost += best.cost;
      texts.push(...best.texts);
    }
    if (positions.length === 0) continue;
    tokens.set(name, texts);
    const spread = Math.min(100, Math.max(...positions) - Math.min(...positions) - (positions.length - 1));
    const verbatim = positions.length === asked.length && own.length === asked.length && cost === 0 ? 1n : 0n;
    const present = BigInt(positions.length);
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

function bestToken(tokens: string[], { word, typos: allowed, prefix, candidates }: AskedWord) {
  let best: { place: number; cost: number } | undefined;
  const texts: string[] = [];
  for (const [place, token] of tokens.entries()) {
    const head = prefix ? token.slice(0, word.length) : token;
    if (candidates && head === word && !candidates.has(token)) continue;
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
