import type { TypesenseStandIn } from '../typesense-stand-in.ts';
import { Collection, forbidden, Refusal, type Schema, type StoredDocument } from './collections.ts';
import { documentFilter } from './filter.ts';
import type { SearchParameters } from './match.ts';
import { searchCollection } from './search.ts';

/** @throws Refusal unless the request is a search by the alias */
export function requireSearchOnly(url: URL, body: string): void {
  if (url.pathname === '/collections/published_posts/documents/search') return;
  if (url.pathname !== '/multi_search') throw forbidden();
  const { searches } = json(body) as { searches: { collection: string }[] };
  if (searches.some(({ collection }) => collection !== 'published_posts')) throw forbidden();
}

/** Answers a request in good health: status and body. */
export async function route(
  standIn: TypesenseStandIn,
  method: string,
  url: URL,
  body: string,
): Promise<[number, unknown]> {
  const [root, name, part, action] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  if (root === 'multi_search' && method === 'POST') return [200, multiSearch(standIn, url, body)];
  if (root === 'aliases') return aliases(standIn, method, name, body);
  if (root !== 'collections') throw new Refusal(404, 'Not Found');
  if (name === undefined) return collections(standIn, method, body);
  if (part !== 'documents') return collection(standIn, method, name);
  const target = find(standIn, name);
  const parameters = Object.fromEntries(url.searchParams);
  if (action === 'search') return [200, searchCollection(target, parameters)];
  if (action === 'import' && method === 'POST') return [200, await importLines(standIn, name, body)];
  if (action === 'export') return [200, exportLines(target, parameters.include_fields, parameters.filter_by)];
  if (action === undefined && method === 'DELETE') return [200, deleteByFilter(target, parameters.filter_by)];
  if (action !== undefined && method === 'DELETE') {
    if (target.remove(action) || parameters.ignore_not_found === 'true') return [200, { id: action }];
    throw new Refusal(404, `Could not find a document with id: ${action}`);
  }
  if (action !== undefined && method === 'GET') {
    const document = target.documents.get(action);
    if (document) return [200, document];
    throw new Refusal(404, `Could not find a document with id: ${action}`);
  }
  throw new Refusal(404, 'Not Found');
}

function find(standIn: TypesenseStandIn, name: string): Collection {
  const found = standIn.collections.get(name) ?? standIn.collections.get(standIn.aliases.get(name) ?? '');
  if (!found) throw new Refusal(404, 'Collection not found');
  return found;
}

function collections(standIn: TypesenseStandIn, method: string, body: string): [number, unknown] {
  if (method === 'GET')
    return [200, [...standIn.collections.values()].reverse().map((each) => each.describe())];
  const schema = json(body) as Schema;
  if (standIn.collections.has(schema.name))
    throw new Refusal(409, `A collection with name \`${schema.name}\` already exists.`);
  const created = new Collection(schema);
  standIn.collections.set(schema.name, created);
  return [201, created.describe()];
}

function collection(standIn: TypesenseStandIn, method: string, name: string): [number, unknown] {
  if (method === 'GET') return [200, find(standIn, name).describe()];
  if (method !== 'DELETE') throw new Refusal(404, 'Not Found');
  const exists = standIn.collections.has(name) || standIn.collections.has(standIn.aliases.get(name) ?? '');
  if (!exists) throw new Refusal(404, `No collection with name \`${name}\` found.`);
  const dropped = find(standIn, name);
  // An alias works too: its target is deleted, and the alias stays.
  standIn.collections.delete(dropped.schema.name);
  return [200, dropped.describe()];
}

function aliases(
  standIn: TypesenseStandIn,
  method: string,
  name: string | undefined,
  body: string,
): [number, unknown] {
  const shown = (alias: string) => ({ collection_name: standIn.aliases.get(alias), name: alias });
  if (name === undefined) return [200, { aliases: [...standIn.aliases.keys()].map(shown) }];
  if (method === 'PUT') {
    const { collection_name } = json(body) as { collection_name?: string };
    if (!collection_name) throw new Refusal(400, 'Parameter `collection_name` is required.');
    if (standIn.collections.has(name))
      throw new Refusal(500, `Name \`${name}\` conflicts with an existing collection name.`);
    standIn.aliases.set(name, collection_name);
    return [200, shown(name)];
  }
  if (!standIn.aliases.has(name)) throw new Refusal(404, 'Collection not found');
  const answer = shown(name);
  if (method === 'DELETE') standIn.aliases.delete(name);
  return [200, answer];
}

function multiSearch(standIn: TypesenseStandIn, url: URL, body: string): object {
  const { searches } = json(body) as { searches: (SearchParameters & { collection: string })[] };
  const common = Object.fromEntries(url.searchParams);
  const results = searches.map((search) => {
    try {
      return searchCollection(find(standIn, search.collection), { ...common, ...search });
    } catch (error) {
      if (error instanceof Refusal) return { code: error.status, error: error.message };
      throw error;
    }
  });
  return { results };
}

async function importLines(standIn: TypesenseStandIn, name: string, body: string): Promise<string> {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  if (standIn.onImport) await standIn.onImport(lines.map((line) => JSON.parse(line) as StoredDocument));
  // An alias is resolved when the write is queued.
  const target = find(standIn, name);
  const byAlias = !standIn.collections.has(name);
  return lines
    .map((line) => {
      const error = line.startsWith('{"')
        ? standIn.faults.failingLine(JSON.parse(line) as StoredDocument)
        : null;
      return JSON.stringify(
        error ? { code: 400, error, success: false } : target.importLine(line, { byAlias }),
      );
    })
    .join('\n');
}

function exportLines(target: Collection, includeFields: string | undefined, filter = ''): string {
  const names = includeFields?.split(',');
  const exported = [...target.documents.values()].filter(documentFilter(target, filter));
  const lines = exported.map((document) =>
    JSON.stringify(names ? Object.fromEntries(names.map((name) => [name, document[name]])) : document),
  );
  return lines.join('\n');
}

function deleteByFilter(target: Collection, filter: string | undefined): object {
  if (filter === undefined) throw new Refusal(400, 'Parameter `filter_by` must be provided.');
  const matches = filter === '' ? () => false : documentFilter(target, filter);
  const deleted = [...target.documents.values()].filter(matches);
  for (const { id } of deleted) target.remove(id);
  return { num_deleted: deleted.length };
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, 'Bad JSON.');
  }
}
