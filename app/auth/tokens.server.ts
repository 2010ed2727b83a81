import { createHash, randomBytes } from 'node:crypto';
import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { AppError } from '#app/platform/errors.ts';

export type TokenPurpose = 'reset' | 'invitation';

const HOUR_MS = 60 * 60 * 1000;
const lifetimes: Record<TokenPurpose, number> = { reset: HOUR_MS, invitation: 7 * 24 * HOUR_MS };

/** Makes the one valid link of its kind for an account; older ones end. @returns the token, stored nowhere. */
export async function issueToken(
  tx: Pick<Transaction, 'userToken'>,
  clock: Clock,
  userId: string,
  purpose: TokenPurpose,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  await tx.userToken.deleteMany({ where: { OR: [{ userId, purpose }, { expiresAt: { lt: now } }] } });
  await tx.userToken.create({
    data: {
      id: newId(clock),
      userId,
      purpose,
      tokenHash: hashOf(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + lifetimes[purpose]),
    },
  });
  return token;
}

// Columns of the row itself only: of two uses at the same moment the second one then finds it used.
const usable = (purpose: TokenPurpose, token: string, now: Date) => ({
  tokenHash: hashOf(token),
  purpose,
  usedAt: null,
  expiresAt: { gt: now },
});

/** The account that a link still opens; null for one that is unknown, used, expired or of a disabled account. */
export async function findToken(
  db: Pick<Transaction, 'userToken'>,
  clock: Clock,
  purpose: TokenPurpose,
  token: string,
): Promise<{ email: string; displayName: string } | null> {
  const row = await db.userToken.findFirst({
    where: { ...usable(purpose, token, clock.now()), user: { disabledAt: null } },
    select: { user: { select: { email: true, displayName: true } } },
  });
  return row && row.user;
}

/** Uses a link up, once; what it is used for is refused to a disabled account. @throws AppError `invalid_input`. */
export async function useToken(
  tx: Pick<Transaction, 'userToken' | 'user'>,
  clock: Clock,
  purpose: TokenPurpose,
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
  if (!user) throw new AppError('invalid_input', 'This link is no longer valid. Ask for a new one.');
  return { userId: user.id, displayName: user.displayName };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
