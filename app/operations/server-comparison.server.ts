import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import * as z from 'zod';
import { application } from '#app/platform/project.server.ts';
import type { Configured, Db } from '#app/platform/services.ts';

/*
 * How `doctor` compares itself with the running server: it sends a random text and one signature of it by each secret.
 * A server that knows one of the two secrets says which ones it shares; it tells anybody else nothing. Neither secret is
 * sent, and keys are derived, so that the signatures fit nothing else.
 */

/** The path of the server's answer. */
export const COMPARISON_PATH = '/api/internal/comparison';

const SCHEME = 'Dateline';
const secretNames = ['authSecret', 'internalCronSecret'] as const;
type SecretName = (typeof secretNames)[number];

/** Null: the server has no such secret. */
const shared = z.boolean().nullable();

export const comparisonSchema = z.object({
  version: z.string().max(100),
  port: z.number(),
  authSecret: shared,
  internalCronSecret: shared,
  /** A signature of the mark of the server's database; null while that does not answer. */
  instance: z.string().max(200).nullable(),
  /** What the server sees of a request. */
  seen: z.object({
    /** `http:` or `https:`, as the proxy's headers say. */
    protocol: z.string().max(20),
    host: z.string().max(500),
    /** The client's. */
    address: z.string().max(100).nullable(),
    /** Whether a proxy has named the client. */
    isForwarded: z.boolean(),
  }),
});

/** The answer of a running server (contract, section 15). */
export type Comparison = z.output<typeof comparisonSchema>;

/** The header by which `doctor` asks. */
export function comparisonHeader({ env }: Configured, nonce: string): string {
  return `${SCHEME} ${[nonce, ...secretNames.map((name) => proofOf(env, name, nonce) ?? '-')].join('.')}`;
}

/** @returns null for a request that proves no secret of this server */
export async function answerComparison(
  app: Db & Configured,
  header: string,
  seen: Comparison['seen'],
): Promise<Comparison | null> {
  const [, nonce, ...proofs] = /^Dateline ([\w-]{16,64})\.([\w-]{1,64})\.([\w-]{1,64})$/.exec(header) ?? [];
  if (nonce === undefined) return null;
  const [authSecret, internalCronSecret] = secretNames.map((name, index) => {
    const own = proofOf(app.env, name, nonce);
    return own === null ? null : isSame(own, proofs[index]!);
  });
  if (authSecret !== true && internalCronSecret !== true) return null;
  const instance = await signedMark(app, nonce).catch(() => null);
  const { port } = app.env;
  return {
    ...{ version: application.version, port, instance, seen },
    ...{ authSecret: authSecret ?? null, internalCronSecret: internalCronSecret ?? null },
  };
}

/** What tells this database from every other one, signed with the nonce: databases of their own hosts stay unknown. */
export async function signedMark(app: Db & Configured, nonce: string): Promise<string> {
  return createHmac('sha256', nonce)
    .update(await markOf(app))
    .digest('base64url');
}

/** The id of its first migration, which is random, and its place: a copy has the same rows. */
async function markOf({ db, env }: Db & Configured): Promise<string> {
  const [first] = await db.$queryRawUnsafe<{ id: string }[]>(
    'SELECT id FROM _prisma_migrations ORDER BY migration_name, id LIMIT 1',
  );
  if (env.database.dialect === 'sqlite') {
    const { ino } = await stat(env.database.file, { bigint: true });
    return `${first?.id} ${ino}`;
  }
  const [place] = await db.$queryRawUnsafe<{ oid: string; schema: string }[]>(
    'SELECT CAST(oid AS TEXT) AS oid, current_schema() AS schema FROM pg_database WHERE datname = current_database()',
  );
  return `${first?.id} ${place?.oid} ${place?.schema}`;
}

function proofOf(env: Configured['env'], name: SecretName, nonce: string): string | null {
  const secret = env[name];
  if (!secret) return null;
  const key = hkdfSync('sha256', secret, '', `dateline doctor ${name}`, 32);
  return createHmac('sha256', Buffer.from(key)).update(nonce).digest('base64url');
}

function isSame(own: string, given: string): boolean {
  const [a, b] = [Buffer.from(own), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
