import { randomBytes } from 'node:crypto';
import type { Cookie } from '@remix-run/node';
import { byUser, writeAudit, type ByUser } from '#app/people/audit/audit.server.ts';
import { type Role, roles } from '#app/people/roles.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { fieldError } from '#app/platform/errors.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import { oneOf } from '#app/platform/narrow.ts';
import type { Configured, Timed } from '#app/platform/services.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { readDevice } from './known-device.server.ts';
import { lockAccount } from './log-in.server.ts';
import { signedCookie } from './cookie.server.ts';

const SLIDING_MS = 14 * DAY_MS;
const ABSOLUTE_MS = 90 * DAY_MS;
// A visit is recorded at most this often, so that not every click in the backend writes to the database.
const TOUCH_AFTER_MS = 5 * 60 * 1000;

type SessionApp = Timed & Configured;

/** The browser that a session belongs to. */
interface SessionClient {
  userAgent: string;
  address: string;
}

/** The logged-in account of a request. */
export interface SessionUser {
  id: string;
  email: string;
  username: string;
  displayName: string;
  role: Role;
  /** The user's language of the backend; `''`: the site's. */
  language: string;
  /** Id of the session's row. */
  sessionId: string;
}

/**
 * Starts a session. The signed cookie contains a random id, and the database its hash. A session ends after fourteen
 * days without a request, and after ninety days in any case.
 * @returns the `Set-Cookie` header.
 */
export async function startSession(
  app: SessionApp,
  userId: string,
  client: SessionClient,
  db: Pick<Transaction, 'session'> = app.db,
): Promise<string> {
  const id = randomBytes(32).toString('base64url');
  const now = app.clock.now();
  await db.session.deleteMany({ where: { expiresAt: { lt: now } } });
  await db.session.create({
    data: {
      id: sha256Of(id),
      userId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + SLIDING_MS),
      userAgent: client.userAgent.slice(0, 500).toWellFormed().replaceAll('\0', ''),
      address: client.address,
    },
  });
  return sessionCookie(app).serialize(id);
}

/** What the last step of a login has checked: the password, or a code in a second step. */
type LoginProof = { passwordHash: string } | { stepId: string };

/**
 * Starts a session after all steps of a login, and records it in the audit log.
 * @param proof absent for somebody who has just chosen the password
 * @throws AppError `invalid_input` when the password was changed after the check
 */
export async function finishLogin(
  app: SessionApp,
  userId: string,
  client: SessionClient,
  proof?: LoginProof,
): Promise<string> {
  return inTransaction(app.db, async (tx) => {
    await lockAccount(tx, { userId, ...(proof && 'passwordHash' in proof && proof) });
    if (proof && 'stepId' in proof) {
      const { count } = await tx.userToken.deleteMany({ where: { id: proof.stepId } });
      if (count === 0) throw fieldError('code', 'Your login has expired. Start again with your password.');
    }
    const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
    const by = byUser(user, client.address);
    await writeAudit(tx, app.clock, { action: 'login.succeeded', by });
    return startSession(app, userId, client, tx);
  });
}

/** The account of a request's session. Null without a valid cookie, for an ended session and a disabled account. */
export async function readSession(app: SessionApp, request: Request): Promise<SessionUser | null> {
  const id: unknown = await sessionCookie(app).parse(request.headers.get('Cookie'));
  if (typeof id !== 'string') return null;
  const sessionId = sha256Of(id);
  const session = await app.db.session.findUnique({ where: { id: sessionId }, include: { user: true } });
  const now = app.clock.now();
  if (!session || session.expiresAt <= now || session.user.disabledAt) return null;
  if (now.getTime() - session.lastSeenAt.getTime() > TOUCH_AFTER_MS) {
    const end = Math.min(now.getTime() + SLIDING_MS, session.createdAt.getTime() + ABSOLUTE_MS);
    await app.db.session.updateMany({
      where: { id: sessionId },
      data: { lastSeenAt: now, expiresAt: new Date(end) },
    });
  }
  const { email, username, displayName, role, language } = session.user;
  return { id: session.userId, email, username, displayName, role: oneOf(roles, role), language, sessionId };
}

/** True for a browser with a signed cookie of an earlier login, even if its session has ended. */
export async function hasLoggedInBefore(app: Configured, request: Request): Promise<boolean> {
  const cookies = request.headers.get('Cookie');
  const id: unknown = await sessionCookie(app).parse(cookies);
  return typeof id === 'string' || (await readDevice(app, cookies)) !== null;
}

/** Ends one session. @returns the `Set-Cookie` header that removes the cookie. */
export async function endSession(app: SessionApp, sessionId: string): Promise<string> {
  await app.db.session.deleteMany({ where: { id: sessionId } });
  return sessionCookie(app).serialize('', { maxAge: 0 });
}

function sessionCookie(app: Configured): Cookie {
  // The database ends a session after fourteen days without a request; the cookie must not expire earlier.
  return signedCookie(app, 'dateline_session', ABSOLUTE_MS / 1000);
}

/** A session as its owner sees it. */
interface SessionListing {
  id: string;
  userAgent: string;
  address: string;
  createdAt: Date;
  lastSeenAt: Date;
}

/** The valid sessions of an account, the last used first. */
export async function listSessions(app: Timed, userId: string): Promise<SessionListing[]> {
  return app.db.session.findMany({
    where: { userId, expiresAt: { gt: app.clock.now() } },
    select: { id: true, userAgent: true, address: true, createdAt: true, lastSeenAt: true },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'asc' }],
  });
}

/** Ends sessions of the user's own account: one, or all but the current one. @returns how many. */
export async function endOwnSessions(
  app: Timed,
  by: ByUser,
  which: { only: string } | { allBut: string },
): Promise<number> {
  const id = 'only' in which ? which.only : { not: which.allBut };
  return inTransaction(app.db, async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { userId: by.userId, id } });
    if (count > 0)
      await writeAudit(tx, app.clock, { action: 'account.sessions-ended', by, details: String(count) });
    return count;
  });
}
