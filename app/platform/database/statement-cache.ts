import type BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

const STATEMENTS_MAX = 500;
/** `SELECT *`, `SELECT p.*`; not `count(*)`. */
const allColumns = /(?:\bSELECT\s+|\.|,\s*)\*/i;
/** Longer statements, such as lists of a thousand values, are hardly ever repeated. */
const CHARACTERS_MAX = 8_000;

/**
 * Makes a connection cache its compiled statements. Prisma sends the same statements again and again, and its stock
 * adapter compiles each again, which took a third of the time of a page's reads (measured). Supports only the calls
 * that the adapter makes: `prepare(sql).bind(args)`, then `reader`, `readonly`, `columns`, `run` and `raw().all()`; and
 * for statements without values, `run` and `get` without `bind`.
 */
export function cacheStatements(client: BetterSqlite3.Database): void {
  const prepare = client.prepare.bind(client);
  const statements = new LRUCache<string, CachedStatement>({ max: STATEMENTS_MAX });
  client.prepare = ((sql: string) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = new CachedStatement(prepare(sql));
      if (sql.length <= CHARACTERS_MAX) statements.set(sql, statement);
    }
    return statement;
  }) as unknown as typeof client.prepare;
}

// better-sqlite3 binds a statement permanently; here each run brings its own values.
class CachedStatement {
  readonly #statement: BetterSqlite3.Statement<unknown[]>;
  readonly #namesColumns: boolean;
  #columns: BetterSqlite3.ColumnDefinition[] | undefined;

  constructor(statement: BetterSqlite3.Statement<unknown[]>) {
    this.#statement = statement.reader ? statement.raw() : statement;
    this.#namesColumns = !allColumns.test(statement.source);
  }

  get readonly(): boolean {
    return this.#statement.readonly;
  }

  run(): BetterSqlite3.RunResult {
    return this.#statement.run();
  }

  get(): unknown {
    return this.#statement.get();
  }

  bind(values: unknown[]) {
    const { reader } = this.#statement;
    return {
      reader,
      columns: () => this.#columnsOf(),
      run: () => this.#statement.run(values),
      raw: () => ({ all: () => this.#statement.all(values) }),
    };
  }

  // A migration may add columns while the server runs. It changes no existing column (decision 025).
  #columnsOf(): BetterSqlite3.ColumnDefinition[] {
    if (!this.#namesColumns) return this.#statement.columns();
    return (this.#columns ??= this.#statement.columns());
  }
}
