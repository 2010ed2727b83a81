import * as z from 'zod';
import type { App } from '#app/app.ts';
import { hasLoggedInBefore } from '#app/people/sessions/sessions.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { localPath } from '#app/platform/http/local-path.ts';
import { adminUrl } from './frame/admin-url.ts';
import { openFormLimits, pendingLimits, type FormLimits } from './frame/form-limits.ts';
import { isOfOtherAccount } from './frame/own-page.server.ts';
import { PAGE_USER_FIELD } from './frame/page-user.ts';
import type { PendingSubmission } from './frame/pending-submission.ts';
import { isMultipart, parseBody, withBody, type RawBody } from './frame/read-form.server.ts';
import type { AdminContext, Done } from './frame/screen.ts';

/**
 * Packs the form of a request whose session has ended, so that the login page can contain it. Nothing parses the form
 * before the login.
 * @returns undefined for a browser that has never logged in and so had no session; `lost` for a form that has files or
 *   is too large
 */
export async function keepSubmission(
  app: Pick<App, 'env' | 'formBudget'>,
  request: Request,
  screen: { files?: boolean },
): Promise<AdminContext['pending']> {
  if (!(await hasLoggedInBefore(app, request))) return undefined;
  if (screen.files && isMultipart(request)) return 'lost';
  try {
    return await withBody(request, { limits: pendingLimits, budget: app.formBudget }, async (body) =>
      packSubmission(request, body),
    );
  } catch (error) {
    if (isAppError(error)) return 'lost';
    throw error;
  }
}

/** A form from the page of another account than the one that is logged in, packed for the login page. */
export class OtherAccountsForm {
  readonly pending: AdminContext['pending'];

  constructor(request: Request, body: RawBody) {
    this.pending = body.bytes.length > pendingLimits.bytes ? 'lost' : packSubmission(request, body);
  }
}

/**
 * The form that was sent to a screen which the account lacks, if it is from the page of another account. Otherwise null,
 * also for a form that cannot be kept.
 */
export async function findOtherAccountsForm(
  app: Pick<App, 'formBudget'>,
  request: Request,
  user: { id: string },
): Promise<OtherAccountsForm | null> {
  try {
    return await withBody(request, { limits: pendingLimits, budget: app.formBudget }, async (body) => {
      const { values: fields } = await parseBody(body, pendingLimits);
      return isOfOtherAccount({ user, request, fields }) ? new OtherAccountsForm(request, body) : null;
    });
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

function packSubmission(request: Request, { type, bytes }: RawBody): { packed: string } {
  const { pathname, search } = new URL(request.url);
  const body = Buffer.from(bytes).toString('base64url');
  return { packed: JSON.stringify({ action: pathname + search, type, body }) };
}

/**
 * Limits of forms before the login. They are larger for a browser whose login form may contain a pending submission.
 */
export async function limitsOfOpenForm(app: Pick<App, 'env'>, request: Request): Promise<FormLimits> {
  const submissionBytes = (await hasLoggedInBefore(app, request))
    ? Math.ceil((pendingLimits.bytes * 4) / 3)
    : 0;
  return { ...openFormLimits, bytes: openFormLimits.bytes + submissionBytes };
}

const packedSchema = z.object({ action: z.string(), type: z.string(), body: z.string() });

/**
 * The form that a login form contained; null when it can't be read, or its address is outside the backend. It still
 * names its page's account, so that nobody else who logs in sends it, unless that account no longer exists.
 */
export async function unpackSubmission(
  { db }: Pick<App, 'db'>,
  packed: string,
  { adminPath }: Pick<AdminContext, 'adminPath'>,
): Promise<PendingSubmission | null> {
  try {
    const { action, type, body } = packedSchema.parse(JSON.parse(packed));
    if (!localPath(action)?.startsWith(`${adminUrl(adminPath)}/`)) return null;
    const bytes = new Uint8Array(Buffer.from(body, 'base64url'));
    const { entries, hadFiles } = await parseBody({ type, bytes }, pendingLimits);
    const id = entries.find(([name]) => name === PAGE_USER_FIELD)?.[1];
    const isKnown = id !== undefined && (await db.user.count({ where: { id } })) > 0;
    const fields = isKnown ? entries : entries.filter(([name]) => name !== PAGE_USER_FIELD);
    return { action, fields, hadFiles };
  } catch {
    return null;
  }
}

/** The request for the next step of a login, with the cookies that the previous step has set. */
export function nextStep(request: Request, { location, cookies = [] }: Done): Request {
  const set = cookies.map((cookie) => cookie.split(';')[0]!);
  const names = set.map((cookie) => cookie.split('=')[0]!);
  const otherCookies = (request.headers.get('Cookie') ?? '')
    .split(/;\s*/)
    .filter((cookie) => cookie !== '' && !names.includes(cookie.split('=')[0]!));
  const headers = new Headers(request.headers);
  headers.set('Cookie', [...otherCookies, ...set].join('; '));
  headers.delete('Content-Type');
  return new Request(new URL(location, request.url), { headers });
}
