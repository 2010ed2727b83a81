import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldOf } from '#app/backup/format/rows.ts';
import { businessTables, tableCatalogue } from '#app/backup/format/tables.ts';
import { projectRoot } from '#app/platform/project.server.ts';

interface ModelField {
  name: string;
  column: string;
  type: string;
  nullable: boolean;
  id: boolean;
  unique: boolean;
}

interface Model {
  name: string;
  table: string;
  fields: ModelField[];
  key: string[];
  /** Column → model that it refers to. */
  references: Record<string, string>;
}

const models = parseModels(readFileSync(path.join(projectRoot, 'prisma/models.prisma'), 'utf8'));
const modelOf = (table: string) => models.find((model) => model.table === table)!;

describe('the table catalogue', () => {
  it('classifies every table of the models, and no other', () => {
    expect(Object.keys(tableCatalogue).sort()).toEqual(models.map(({ table }) => table).sort());
  });

  it('names the Prisma delegate of every table', () => {
    for (const [table, { model }] of Object.entries(tableCatalogue))
      expect(model).toBe(modelOf(table).name.replace(/^./, (letter) => letter.toLowerCase()));
  });

  it.each(businessTables)(
    'has every column of $name, in the order and with the type of the model',
    (table) => {
      const types: Record<string, string> = {
        String: 'text',
        Int: 'integer',
        Boolean: 'boolean',
        DateTime: 'time',
      };
      const columns = Object.entries(table.columns).map(([column, { type, nullable }]) => ({
        column,
        type,
        nullable,
      }));
      expect(columns).toEqual(
        modelOf(table.name).fields.map(({ column, type, nullable }) => ({
          column,
          type: types[type],
          nullable,
        })),
      );
      for (const { name, column } of modelOf(table.name).fields) expect(fieldOf(column)).toBe(name);
    },
  );

  it.each(businessTables)('knows the keys and references of $name', (table) => {
    const model = modelOf(table.name);
    expect(table.key).toEqual(model.key);
    expect([...(table.unique ?? [])]).toEqual(
      model.fields.filter(({ unique }) => unique).map(({ column }) => column),
    );
    const references = Object.entries(model.references).map(([column, name]) => [
      column,
      models.find((candidate) => candidate.name === name)!.table,
    ]);
    expect(table.references ?? {}).toEqual(Object.fromEntries(references));
  });

  it('restores a table after those that it refers to', () => {
    const seen = new Set<string>();
    for (const { name, references = {} } of businessTables) {
      for (const target of Object.values(references)) expect(seen).toContain(target);
      seen.add(name);
    }
  });
});

function parseModels(source: string): Model[] {
  return [...source.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name, body]) => {
    const lines = body!.split('\n').map((line) => line.replace(/\/\/.*/, '').trim());
    const fields = lines.flatMap(fieldIn);
    const columnOf = (field: string) => fields.find((candidate) => candidate.name === field)!.column;
    const key = /@@id\(\[(.*?)\]\)/.exec(body!)?.[1]!.split(', ').map(columnOf);
    const relations = [...body!.matchAll(/(\w+)\?? +@relation\(fields: \[(\w+)\]/g)];
    return {
      name: name!,
      table: /@@map\("(.*?)"\)/.exec(body!)![1]!,
      fields,
      key: key ?? fields.filter(({ id }) => id).map(({ column }) => column),
      references: Object.fromEntries(relations.map(([, target, field]) => [columnOf(field!), target!])),
    };
  });
}

function fieldIn(line: string): ModelField[] {
  const match = /^(\w+) +(String|Int|Boolean|DateTime)(\?)?( .*)?$/.exec(line);
  if (!match) return [];
  const [, name, type, nullable, attributes = ''] = match;
  const column = /@map\("(.*?)"\)/.exec(attributes)?.[1] ?? name!;
  return [
    {
      name: name!,
      column,
      type: type!,
      nullable: nullable !== undefined,
      id: /@id\b/.test(attributes),
      unique: /@unique\b/.test(attributes),
    },
  ];
}
