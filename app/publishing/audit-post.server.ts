import type { AuditAction } from '#app/auth/audit-actions.ts';
import { byCommand, byUser, writeAudit, type By } from '#app/auth/audit.server.ts';
import type { Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { TRASHED, type PostStatus } from '#app/posts/states.ts';

const actions: Record<PostStatus, AuditAction> = {
  published: 'post.published',
  scheduled: 'post.scheduled',
  archived: 'post.archived',
  draft: 'post.withdrawn',
};

/** Tells the audit log that a post was created or has another state; a save alone is a revision's matter. */
export async function auditPostState(
  tx: Transaction,
  clock: Clock,
  change: {
    title: string;
    /** Null for a new post. */
    from: PostStatus | typeof TRASHED | null;
    to: PostStatus;
    editorId: string | null;
    address?: string;
  },
): Promise<void> {
  const { title, from, to, editorId } = change;
  if (from === to) return;
  const isNew = from === null && to === 'draft';
  const action = from === TRASHED ? 'post.restored' : isNew ? 'post.created' : actions[to];
  const by = await byEditor(tx, editorId, change.address);
  await writeAudit(tx, clock, { action, by, subject: title });
}

/** Who is behind an editor's id; null is a command. */
export async function byEditor(tx: Transaction, editorId: string | null, address = ''): Promise<By> {
  const user = editorId === null ? null : await tx.user.findUnique({ where: { id: editorId } });
  return user ? byUser(user, address) : byCommand;
}

/** Tells the audit log what a trigger did to posts. */
export async function auditTrigger(
  tx: Transaction,
  clock: Clock,
  action: 'post.published' | 'post.archived',
  titles: string[],
): Promise<void> {
  const by: By = { userId: null, actor: 'Trigger', address: '' };
  await writeAudit(tx, clock, ...titles.map((subject) => ({ action, by, subject })));
}
