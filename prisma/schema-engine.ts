// Development and tests only: Prisma's schema engine as WebAssembly, for hosts that cannot
// download the native one. Compares schemas; never used at runtime.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { SqliteAdapterFactory } from '#app/platform/database/sqlite-adapter.server.ts';

type Side = 'sqlite' | 'postgresql';
type SchemaFiles = { files: { path: string; content: string }[] };
type Target =
  | ({ tag: 'schemaDatamodel' } & SchemaFiles)
  // The database of the adapter; the schema only names its kind.
  | ({ tag: 'schemaDatasource'; configDir: string } & SchemaFiles);

const require = createRequire(import.meta.url);

/**
 * SQL that changes the database at `url` (`file:…` or `postgresql://…`) into the models. If both are equal, it contains
 * only the comment `-- This is an empty migration.`
 */
export async function differenceFromModels(url: string): Promise<string> {
  const side = url.startsWith('file:') ? 'sqlite' : 'postgresql';
  const pool = side === 'postgresql' ? poolThatReadsCatalogues(url) : undefined;
  const factory = pool ? new PrismaPg(pool) : new SqliteAdapterFactory(url.slice('file:'.length));
  const schema = joinedSchema(side);
  const glue = await loadGlue();
  const options = { datamodels: schema.files.map(({ path, content }) => [path, content]) };
  const engine = await glue.SchemaEngine.new(options, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
  try {
    const result = await engine.diff({
      from: { tag: 'schemaDatasource', configDir: import.meta.dirname, ...schema },
      to: { tag: 'schemaDatamodel', ...schema },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return result.stdout ?? '';
  } finally {
    await pool?.end();
  }
}

/** Header and models of one side, as the engine takes them. */
function joinedSchema(side: Side): SchemaFiles {
  const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8');
  const content = `${read(`${side}/header.prisma`)}\n${read('models.prisma')}`;
  return { files: [{ path: 'schema.prisma', content }] };
}

// PostgreSQL's catalogues have columns of the internal type "char" (18), which adapter-pg 7.10 refuses;
// as text (25) the engine reads them.
function poolThatReadsCatalogues(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString });
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>;
  const reading = async (...args: unknown[]) => {
    const result = await query(...args);
    for (const field of result.fields) if (field.dataTypeID === 18) field.dataTypeID = 25;
    return result;
  };
  return Object.assign(pool, { query: reading });
}

interface Engine {
  diff(params: {
    from: Target;
    to: Target;
    script: boolean;
    exitCode: null;
    filters: { externalTables: string[]; externalEnums: string[] };
  }): Promise<{ stdout: string | null }>;
}

interface Glue {
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
  SchemaEngine: { new: (options: unknown, log: (text: string) => void, factory: unknown) => Promise<Engine> };
}

let loaded: Promise<Glue> | undefined;

// Loads the glue once a process: it keeps views of one instance's memory and panics over a second one's.
function loadGlue(): Promise<Glue> {
  loaded ??= instantiate();
  return loaded;
}

async function instantiate(): Promise<Glue> {
  const folder = path.dirname(require.resolve('@prisma/schema-engine-wasm'));
  const glue = (await import(path.join(folder, 'schema_engine_bg.js'))) as Glue;
  const bytes = readFileSync(path.join(folder, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': glue as unknown as WebAssembly.ModuleImports,
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return glue;
}
