import { randomBytes } from 'node:crypto';
import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import { may, type Actor } from './roles.ts';

/** What a link in a message is for. */
export type LinkPurpose = 'reset' | 'invitation';

/** A second step is a login whose password was right and that waits for its code. */
type TokenPurpose = LinkPurpose | 'second-step';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a token is valid. */
export const tokenLifetimes: Record<TokenPurpose, number> = {
  reset: HOUR_MS,
  invitation: 7 * 24 * HOUR_MS,
  'second-step': 10 * MINUTE_MS,
};

/**
 * Makes a token for an account. A new link ends older links of its kind. An account can have several second steps, one
 * in each browser.
 * @returns the token; the database stores only its hash
 */
export async function issueToken(
  tx: Pick<Transaction, 'userToken'>,
  clock: Clock,
  userId: string,
  purpose: TokenPurpose,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  await tx.userToken.deleteMany({ where: { expiresAt: { lt: now } } });
  if (purpose !== 'second-step') await tx.userToken.deleteMany({ where: { userId, purpose } });
  await tx.userToken.create({
    data: {
      id: newId(clock),
      userId,
      purpose,
      tokenHash: sha256Of(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + tokenLifetimes[purpose]),
    },
  });
  return token;
}

// Only columns of the row itself, so that the second of two simultaneous uses finds the token used.
const usable = (purpose: TokenPurpose, token: string, now: Date) => ({
  tokenHash: sha256Of(token),
  purpose,
  usedAt: null,
  expiresAt: { gt: now },
});

/** A valid token and its account. */
export interface FoundToken {
  id: string;
  user: { id: string; email: string; displayName: string };
}

/** A valid token's account; null for a token that is unknown, used, expired or of a disabled account. */
export async function findToken(
  db: Pick<Transaction, 'userToken'>,
  clock: Clock,
  purpose: TokenPurpose,
  token: string,
): Promise<FoundToken | null> {
  return db.userToken.findFirst({
    where: { ...usable(purpose, token, clock.now()), user: { disabledAt: null } },
    select: { id: true, user: { select: { id: true, email: true, displayName: true } } },
  });
}

/** Uses a link, once. Fails for a disabled account. @throws AppError `invalid_input`. */
export async function useToken(
  tx: Pick<Transaction, 'userToken' | 'user'>,
  clock: Clock,
  purpose: LinkPurpose,
  token: string,
): Promise<{ userId: string; displayName: string }> {
  const now = clock.now();
  const [row] = await tx.userToken.updateManyAndReturn({
    where: usable(purpose, token, now),
    data: { usedAt: now },
    select: { userId: true },
  });
  const user =
    row &&
    (await tx.user.findUnique({
      where: { id: row.userId, disabledAt: null },
      select: { id: true, displayName: true },
    }));
  if (!user) throw invalidLink();
  return { userId: user.id, displayName: user.displayName };
}

/**
 * Ends every reset link, invitation and second step of an account. A change of who may use the account (password, email
 * address, role, disabled) calls it in the same transaction.
 */
export async function endTokens(tx: Pick<Transaction, 'userToken'>, userId: string): Promise<void> {
  await tx.userToken.deleteMany({ where: { userId } });
}

/**
 * Revokes the previews of posts and of the site that an account has made: their addresses show what is not public to
 * whoever has kept them. A change that ends the account's access calls it in the same transaction.
 */
export async function revokePreviews(
  tx: Pick<Transaction, 'previewLink' | 'sitePreview'>,
  clock: Clock,
  userId: string,
): Promise<void> {
  const change = { where: { createdById: userId, revokedAt: null }, data: { revokedAt: clock.now() } };
  await tx.previewLink.updateMany(change);
  await tx.sitePreview.updateMany(change);
}

/**
 * Revokes the previews that an account has made and could not make with its new role: of the site, and of the posts of
 * others. A change of the role calls it in the same transaction.
 */
export async function revokePreviewsBeyond(
  tx: Pick<Transaction, 'previewLink' | 'sitePreview'>,
  clock: Clock,
  actor: Actor,
): Promise<void> {
  const where = { createdById: actor.id, revokedAt: null };
  const data = { revokedAt: clock.now() };
  if (!may(actor, 'posts:publish')) await tx.sitePreview.updateMany({ where, data });
  if (may(actor, 'posts:all')) return;
  const ofOthers = { OR: [{ authorId: null }, { authorId: { not: actor.id } }] };
  await tx.previewLink.updateMany({ where: { ...where, post: ofOthers }, data });
}

export function invalidLink(): AppError {
  return new AppError('invalid_input', 'This link is no longer valid. Ask for a new one.');
}
