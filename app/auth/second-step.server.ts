import { createCookie } from '@remix-run/node';
import { z } from 'zod';
import type { App } from '#app/app.ts';

const VALID_MS = 10 * 60 * 1000;

type StepApp = Pick<App, 'env' | 'clock'>;

const stepSchema = z.object({ userId: z.string(), at: z.number() });

/** Remembers, for ten minutes, that the password was right. @returns the `Set-Cookie` header. */
export function startSecondStep(app: StepApp, userId: string): Promise<string> {
  return stepCookie(app).serialize({ userId, at: app.clock.now().getTime() });
}

/** Whose second step a request is about; null without one, or when it took too long. */
export async function readSecondStep(app: StepApp, request: Request): Promise<{ userId: string } | null> {
  const step = stepSchema.safeParse(await stepCookie(app).parse(request.headers.get('Cookie')));
  if (!step.success || app.clock.now().getTime() - step.data.at > VALID_MS) return null;
  return { userId: step.data.userId };
}

/** @returns the `Set-Cookie` header that removes the cookie. */
export function endSecondStep(app: StepApp): Promise<string> {
  return stepCookie(app).serialize('', { maxAge: 0 });
}

function stepCookie(app: StepApp) {
  return createCookie('dateline_second_step', {
    secrets: [app.env.authSecret!],
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: app.env.production,
    maxAge: VALID_MS / 1000,
  });
}
