import { Refusal, type Collection, type StoredDocument } from './collections.ts';

/**
 * `field:=value`, `field:value`, `id:[a,b]`, joined with `&&`: what Typesense documents of filters, as far as
 * Dateline uses it. Values are compared token by token, ids as a whole (recordings 04 and 06).
 */
export function documentFilter(
  collection: Collection,
  filter: string,
): (document: StoredDocument) => boolean {
  if (filter.trim() === '') return () => true;
  const tests = filter.split(/\s*&&\s*(?=(?:[^`]*`[^`]*`)*[^`]*$)/).map((part) => clause(collection, part));
  return (document) => tests.every((test) => test(document));
}

function clause(collection: Collection, part: string): (document: StoredDocument) => boolean {
  const match = /^(\w+):(!?=?)\s*(.+)$/.exec(part.trim());
  if (!match) throw new Refusal(400, 'Could not parse the filter query.');
  const [, name = '', operator = '', value = ''] = match;
  const values = valuesOf(value);
  const negated = operator.startsWith('!');
  if (name === 'id') return (document) => values.includes(document.id) !== negated;
  const field = collection.field(name);
  if (!field) throw new Refusal(400, `Could not find a filter field named \`${name}\` in the schema.`);
  if (field.index === false) throw new Refusal(400, `Cannot filter on non-indexed field \`${name}\`.`);
  if (!field.type.startsWith('string'))
    return (document) => values.includes(String(document[name])) !== negated;
  const filterValues = values.map((each) => collection.tokenize(each).join(' '));
  return (document) => {
    const fieldValues = ([] as unknown[])
      .concat(document[name])
      .map((each) => collection.tokenize(String(each)).join(' '));
    return fieldValues.some((each) => filterValues.includes(each)) !== negated;
  };
}

function valuesOf(value: string): string[] {
  const inner = /^\[(.*)\]$/s.exec(value)?.[1];
  const list = inner === undefined ? [value] : (inner.match(/`[^`]*`|[^,]+/g) ?? []);
  return list.map((each) => {
    if (each.startsWith('`')) return each.slice(1, -1);
    if (/[()]/.test(each)) throw new Refusal(400, 'Could not parse the filter query.');
    return each.trim();
  });
}
