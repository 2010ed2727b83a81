import { createCookie } from '@remix-run/node';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import type { Configured, Timed } from '#app/platform/services.ts';
import { findToken, issueToken, tokenLifetimes, type FoundToken } from '../tokens.server.ts';
import { lockAccount } from './lock-account.server.ts';
import type { CheckedPassword } from './log-in.server.ts';

type StepApp = Timed & Configured;

/** Records for ten minutes that the password was right. @returns the `Set-Cookie` header. */
export async function startSecondStep(app: StepApp, login: CheckedPassword): Promise<string> {
  const token = await inTransaction(app.db, async (tx) => {
    await lockAccount(tx, login);
    return issueToken(tx, app.clock, login.userId, 'second-step');
  });
  return stepCookie(app).serialize(token);
}

/** The second step that a request belongs to; null if there is none or it has ended. */
export async function readSecondStep(app: StepApp, request: Request): Promise<FoundToken | null> {
  const token: unknown = await stepCookie(app).parse(request.headers.get('Cookie'));
  return typeof token === 'string' ? findToken(app.db, app.clock, 'second-step', token) : null;
}

/** Ends a step, after the right code or too many wrong ones. @returns the `Set-Cookie` header. */
export async function endSecondStep(app: StepApp, stepId: string): Promise<string> {
  await app.db.userToken.deleteMany({ where: { id: stepId } });
  return stepCookie(app).serialize('', { maxAge: 0 });
}

function stepCookie(app: StepApp) {
  return createCookie('dateline_second_step', {
    secrets: [app.env.authSecret!],
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: app.env.production,
    maxAge: tokenLifetimes['second-step'] / 1000,
  });
}
