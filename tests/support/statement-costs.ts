import type { SqlQuery } from '@prisma/driver-adapter-utils';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { databaseTarget } from '#app/platform/env.server.ts';

/** Lists of ids make statements long. */
const SQL_SHOWN = 600;

/** A statement that exceeds a limit. */
export interface CostlyStatement {
  why: string;
  sql: string;
}

/** The limits of a statement. */
export interface StatementLimits {
  /** Tables that grow with the number of posts. */
  growing: string[];
  /** Rows of them that it may look at. */
  rows: number;
  /** Milliseconds on SQLite, which blocks the event loop; `Infinity` on a busy machine. */
  milliseconds: number;
}

/** Those of the statements that scan or sort a growing table, or look at more of it than they may. */
export async function findCostly(
  url: string,
  queries: SqlQuery[],
  limits: StatementLimits,
): Promise<CostlyStatement[]> {
  const reads = new Map(
    queries
      .filter(({ sql }) => /^\s*(SELECT|WITH)/i.test(sql))
      .map((query) => [JSON.stringify([query.sql, query.args]), query]),
  );
  const target = databaseTarget(url);
  return target.dialect === 'sqlite'
    ? costlyOnSqlite(target.file, [...reads.values()], limits)
    : costlyOnPostgres(target.url, [...reads.values()], limits);
}

function costlyOnSqlite(file: string, queries: SqlQuery[], limits: StatementLimits): CostlyStatement[] {
  const db = new BetterSqlite3(file, { readonly: true });
  const found: CostlyStatement[] = [];
  try {
    for (const { sql, args } of queries) {
      const values = args.map(forSqlite);
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
      const bad = plan.filter(({ detail }) => isBadStep(detail, sql, limits.growing));
      for (const { detail } of bad) found.push({ why: detail, sql: sql.slice(0, SQL_SHOWN) });
      if (bad.length > 0) continue;
      const statement = db.prepare(sql).raw();
      // The fastest of a few runs: other load only makes them slower.
      let fastest = Infinity;
      for (let run = 0; run < 8 && fastest > limits.milliseconds; run += 1) {
        const started = performance.now();
        statement.all(...values);
        fastest = Math.min(fastest, performance.now() - started);
      }
      if (fastest > limits.milliseconds)
        found.push({ why: `takes ${fastest.toFixed(1)} ms`, sql: sql.slice(0, SQL_SHOWN) });
    }
  } finally {
    db.close();
  }
  return found;
}

/** `SCAN posts`, or a sort of more than the last of several terms in a statement that reads such a table. */
function isBadStep(detail: string, sql: string, growing: string[]): boolean {
  const scanned = /^SCAN (\w+)/.exec(detail)?.[1];
  // Prisma and the product name tables in full or by an alias.
  const names = new Map(
    [...sql.matchAll(/[`"]?(\w+)[`"]? AS [`"]?(\w+)[`"]?/gi)].map(([, table, name]) => [name, table]),
  );
  if (scanned) return growing.includes(names.get(scanned) ?? scanned) && !hasLimitInOrder(sql, detail);
  return false;
}

// A walk along an index that stops after some rows is no scan of the table.
function hasLimitInOrder(sql: string, detail: string): boolean {
  return /USING (COVERING )?INDEX/.test(detail) && /\bLIMIT\b/i.test(sql) && /\bORDER BY\b/i.test(sql);
}

function forSqlite(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value instanceof Date ? value.toISOString() : value;
}

async function costlyOnPostgres(
  url: string,
  queries: SqlQuery[],
  limits: StatementLimits,
): Promise<CostlyStatement[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const found: CostlyStatement[] = [];
  try {
    for (const { sql, args } of queries) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
        args,
      );
      for (const node of nodesOf(rows[0]!['QUERY PLAN'][0].Plan)) {
        if (!node['Relation Name'] || !limits.growing.includes(node['Relation Name'])) continue;
        const looked =
          (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * Math.max(1, node['Actual Loops']);
        if (looked > limits.rows)
          found.push({
            why: `${node['Node Type']} of ${node['Relation Name']} looks at ${looked} rows`,
            sql: sql.slice(0, SQL_SHOWN),
          });
      }
    }
  } finally {
    await client.end();
  }
  return found;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
