import { writeAuditInSteps, type AuditEntry, type By } from '#app/people/audit/audit.server.ts';
import { newId } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { insertInSteps } from '#app/platform/database/json-insert.server.ts';
import type { Clocked, Configured } from '#app/platform/services.ts';
import { toStored } from '#app/platform/stored-message.server.ts';
import { storeFields, type TermReferences } from '#app/posts/fields/stored.ts';
import { readReferences } from '#app/posts/terms/references.server.ts';
import type { PublicChange } from '#app/publishing/change/public-change.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { auditActionOf, type StateStep } from './audit.server.ts';
import { cleanUpRevisions } from './clean-up-revisions.server.ts';
import { storeOutcome, type NewRevision } from './revisions.server.ts';

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
 * Collects the revisions and audit entries of a transaction's posts, and writes them in few statements at its end.
 * Written one by one they took longer than the posts (measured).
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

  /** Adds only an audit entry, for a change of state without a revision, such as the trigger's. */
  addStep(step: StateStep): void {
    const action = auditActionOf(step);
    if (action) this.#audit.push({ action, by: this.#by, subject: step.title });
  }

  /** Writes all rows. Call it once, inside the transaction that wrote the posts. */
  async write(app: Clocked & Configured, { tx, now }: PublicChange, settings: Settings): Promise<void> {
    const editorIds = await presentAccounts(tx, this.#revisions);
    const texts = this.#revisions.map(({ fields }) => fields);
    const termsOf = await readReferences(tx, texts);
    const rows = rowsOf(app, this.#revisions, { editorIds, termsOf, now });
    await insertInSteps(app, tx, 'revisions', revisionColumns, rows);
    await writeAuditInSteps(app, tx, this.#audit);
    const postIds = this.#revisions.map(({ postId }) => postId);
    await cleanUpRevisions(tx, postIds, settings, now);
  }
}

/** The editors whose accounts still exist: what they prepared may outlive them. */
async function presentAccounts(tx: Transaction, revisions: readonly NewRevision[]): Promise<Set<string>> {
  const ids = new Set(revisions.flatMap(({ authorId }) => authorId ?? []));
  if (ids.size === 0) return ids;
  const rows = await tx.user.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}

/** Makes the rows one by one: encoding all texts at once would block the event loop. */
function* rowsOf(
  app: Clocked,
  revisions: readonly NewRevision[],
  {
    editorIds,
    termsOf,
    now,
  }: {
    editorIds: ReadonlySet<string>;
    termsOf: (fields: NewRevision['fields']) => TermReferences;
    now: Date;
  },
): Generator<object> {
  for (const { postId, postVersion, kind, authorId, fields, summary, outcome } of revisions)
    yield {
      id: newId(app.clock),
      post_id: postId,
      post_version: postVersion,
      kind,
      author_id: authorId !== null && editorIds.has(authorId) ? authorId : null,
      fields: storeFields(fields, termsOf(fields)),
      summary: toStored(summary),
      outcome: storeOutcome(outcome),
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    };
}
