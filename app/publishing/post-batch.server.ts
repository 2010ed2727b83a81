import type { App } from '#app/app.ts';
import { writeAudit, type AuditEntry, type By } from '#app/auth/audit.server.ts';
import { newId } from '#app/platform/clock.ts';
import { inChunks, yieldToEventLoop } from '#app/platform/event-loop.server.ts';
import { insertJson, type JsonColumnType } from '#app/platform/json-insert.server.ts';
import { storeFields } from '#app/posts/revision.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { auditActionOf, type StateStep } from './audit-post.server.ts';
import { cleanUpRevisions } from './clean-up-revisions.server.ts';
import type { PublicChange } from './public-change.server.ts';
import { storeOutcome, type NewRevision } from './revisions.server.ts';

/** Characters of JSON in one statement: about a millisecond. */
const CHARACTERS_PER_STATEMENT = 250_000;
const POSTS_PER_STATEMENT = 50;

const revisionColumns = {
  id: { type: 'text' },
  post_id: { type: 'text' },
  post_version: { type: 'integer' },
  kind: { type: 'text' },
  author_id: { type: 'text' },
  fields: { type: 'text' },
  summary: { type: 'text' },
  outcome: { type: 'text' },
  created_at: { type: 'time' },
  updated_at: { type: 'time' },
} as const;

/**
 * The dependent rows of a transaction's posts, written in few statements at its end. Measured: written one by one
 * they took longer than the posts.
 */
export class PostBatch {
  readonly #by: By;
  readonly #revisions: NewRevision[] = [];
  readonly #audit: AuditEntry[] = [];

  constructor(by: By) {
    this.#by = by;
  }

  add(revision: NewRevision, step: StateStep): void {
    this.#revisions.push(revision);
    this.addStep(step);
  }

  /** A step of a post that leaves no revision, such as the trigger's. */
  addStep(step: StateStep): void {
    const action = auditActionOf(step);
    if (action) this.#audit.push({ action, by: this.#by, subject: step.title });
  }

  /** Writes everything. Once, inside the transaction that wrote the posts. */
  async write(app: Pick<App, 'clock' | 'env'>, { tx, now }: PublicChange, settings: Settings): Promise<void> {
    const rows = this.#revisions.map(({ postId, postVersion, kind, authorId, fields, summary, outcome }) => ({
      id: newId(app.clock),
      post_id: postId,
      post_version: postVersion,
      kind,
      author_id: authorId,
      fields: storeFields(fields),
      summary,
      outcome: storeOutcome(outcome),
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    }));
    await insertInSteps(app, tx, 'revisions', revisionColumns, rows);
    for (const some of inChunks(this.#audit, POSTS_PER_STATEMENT)) {
      await writeAudit(tx, app.clock, ...some);
      await yieldToEventLoop();
    }
    for (const some of inChunks(this.#revisions, POSTS_PER_STATEMENT)) {
      await cleanUpRevisions(
        tx,
        some.map(({ postId }) => postId),
        settings,
        now,
      );
      await yieldToEventLoop();
    }
  }
}

/** Inserts many rows with few statements, and lets others run between them. */
export async function insertInSteps(
  app: Pick<App, 'env'>,
  tx: PublicChange['tx'],
  table: string,
  columns: Readonly<Record<string, { type: JsonColumnType }>>,
  rows: readonly object[],
): Promise<void> {
  let lines: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (lines.length > 0)
      await insertJson(tx, app.env.database.dialect, table, columns, `[${lines.join(',')}]`);
    lines = [];
    characters = 0;
    await yieldToEventLoop();
  };
  for (const row of rows) {
    const line = JSON.stringify(row);
    lines.push(line);
    characters += line.length;
    if (characters >= CHARACTERS_PER_STATEMENT || lines.length >= POSTS_PER_STATEMENT) await flush();
  }
  await flush();
}
