import type { AuditAction } from '#app/people/audit/actions.ts';
import { byCommand, byUser, writeAudit, writeAuditInSteps, type By } from '#app/people/audit/audit.server.ts';
import type { Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import type { Clocked, Configured } from '#app/platform/services.ts';
import { TRASHED, type PostStatus } from '#app/posts/fields/states.ts';

const actions: Record<PostStatus, AuditAction> = {
  published: 'post.published',
  scheduled: 'post.scheduled',
  archived: 'post.archived',
  draft: 'post.withdrawn',
};

/** The actor of actions that no person started. */
export const byTrigger: By = { userId: null, actor: 'Trigger', address: '' };

/** A change of a post's state. */
export interface StateStep {
  title: string;
  /** Null for a new post. */
  from: PostStatus | typeof TRASHED | null;
  to: PostStatus;
}

/** The audit log's name of a step; null for a save that leaves the state, which only revisions record. */
export function auditActionOf({ from, to }: StateStep): AuditAction | null {
  if (from === to) return null;
  if (from === TRASHED) return 'post.restored';
  return from === null && to === 'draft' ? 'post.created' : actions[to];
}

/** Records in the audit log that a post was created or has another state. */
export async function auditPostState(
  tx: Transaction,
  clock: Clock,
  change: StateStep & { editorId: string | null; address?: string },
): Promise<void> {
  const action = auditActionOf(change);
  if (!action) return;
  const by = await byEditor(tx, change.editorId, change.address);
  await writeAudit(tx, clock, { action, by, subject: change.title });
}

/** The person with an editor's id; null means a command. */
export async function byEditor(tx: Transaction, editorId: string | null, address = ''): Promise<By> {
  const user = editorId === null ? null : await tx.user.findUnique({ where: { id: editorId } });
  return user ? byUser(user, address) : byCommand;
}

/** Records in the audit log what a trigger did to posts. */
export async function auditTrigger(
  app: Clocked & Configured,
  tx: Transaction,
  action: 'post.published' | 'post.archived',
  titles: string[],
): Promise<void> {
  const entries = titles.map((subject) => ({ action, by: byTrigger, subject }));
  await writeAuditInSteps(app, tx, entries);
}
