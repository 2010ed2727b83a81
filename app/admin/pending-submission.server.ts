import type { AppLoadContext } from '@remix-run/node';
import { isAppError } from '#app/platform/errors.ts';
import { z } from 'zod';
import { adminUrl, ownPath } from './admin-url.ts';
import { PENDING_SUBMISSION_FIELD, type PendingSubmission } from './pending-submission.ts';
import { readFormEntries } from './read-form.server.ts';
import type { AdminContext } from './screen.ts';

/** Takes the form of a request whose session has ended; null when it holds nothing that can be carried. */
export async function keepSubmission(request: Request): Promise<PendingSubmission | null> {
  try {
    const entries = await readFormEntries(request);
    const fields = entries.flatMap(([name, value]): PendingSubmission['fields'] =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    const url = new URL(request.url);
    return { action: url.pathname + url.search, fields, hadFiles: fields.length < entries.length };
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

/** The form that a login form carries along; the request's body stays unread. */
export async function readPendingSubmission(
  request: Request,
  adminContext: AdminContext,
): Promise<PendingSubmission | null> {
  try {
    const entries = await readFormEntries(request.clone());
    return parsePendingSubmission(
      new Map(entries).get(PENDING_SUBMISSION_FIELD),
      adminUrl(adminContext.adminPath),
    );
  } catch (error) {
    // What is wrong with the form is for the screen itself to say.
    if (isAppError(error)) return null;
    throw error;
  }
}

/** The next step of a login, asked for with the cookies that the step before has set. */
export function nextStep(request: Request, step: Response): Request {
  const set = step.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  const names = set.map((cookie) => cookie.split('=')[0]!);
  const kept = (request.headers.get('Cookie') ?? '')
    .split(/;\s*/)
    .filter((cookie) => cookie !== '' && !names.includes(cookie.split('=')[0]!));
  const headers = new Headers(request.headers);
  headers.set('Cookie', [...kept, ...set].join('; '));
  headers.delete('Content-Type');
  return new Request(new URL(step.headers.get('Location')!, request.url), { headers });
}

/** Lets the login pages of this answer carry the form along. */
export function carryAlong(context: AppLoadContext, form: PendingSubmission | null): void {
  if (form) context.held = JSON.stringify(form);
}

const pendingSubmissionSchema = z.object({
  action: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()])),
  hadFiles: z.boolean(),
});

/** What a login form carried; null for nothing, for rubbish, and for a form that leads out of the backend. */
function parsePendingSubmission(packed: unknown, backend: string): PendingSubmission | null {
  if (typeof packed !== 'string' || packed === '') return null;
  try {
    const form = pendingSubmissionSchema.parse(JSON.parse(packed));
    return ownPath(form.action)?.startsWith(`${backend}/`) ? form : null;
  } catch {
    return null;
  }
}
