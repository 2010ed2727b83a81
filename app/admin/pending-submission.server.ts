import { data, redirect } from '@remix-run/node';
import * as z from 'zod';
import type { Configured, Forms, Db } from '#app/platform/services.ts';
import { adminUrl, loginUrl } from '#app/admin/frame/admin-url.ts';
import { PAGE_USER_FIELD } from '#app/admin/frame/page-user-field.tsx';
import {
  isOfOtherAccount,
  isMultipart,
  parseBody,
  withBody,
  type RawBody,
} from '#app/admin/frame/read-form.server.ts';
import {
  openFormLimits,
  pendingLimits,
  type FormLimits,
  type AdminContext,
  type Done,
} from '#app/admin/frame/screen.ts';
import type { PendingSubmission } from '#app/admin/login/pending-submission.tsx';
import { hasLoggedInBefore, readSession, type SessionUser } from '#app/people/sessions/sessions.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { localPath } from '#app/platform/http/paths.ts';
import {
  inOwnLanguage,
  isAllowed,
  load,
  type Entered,
  type Incoming,
  type ScreenPage,
  findScreen,
} from './enter-screen.server.ts';

/**
 * Packs the form of a request whose session has ended, so that the login page can contain it. Nothing parses the form
 * before the login.
 * @returns undefined for a browser that has never logged in and so had no session; `lost` for a form that has files or
 *   is too large
 */
export async function keepSubmission(
  app: Configured & Forms,
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
  app: Forms,
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
export async function limitsOfOpenForm(app: Configured, request: Request): Promise<FormLimits> {
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
async function unpackSubmission(
  { db }: Db,
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
function nextStep(request: Request, { location, cookies = [] }: Done): Request {
  const set = cookies.map((cookie) => cookie.split(';')[0]!);
  const names = set.map((cookie) => cookie.split('=')[0]!);
  const otherCookies = (request.headers.get('Cookie') ?? '')
    .split(/;\s*/)
    .filter((cookie) => cookie !== '' && !names.includes(cookie.split('=')[0]!));
  const onward = new Headers(request.headers);
  onward.set('Cookie', [...otherCookies, ...set].join('; '));
  onward.delete('Content-Type');
  return new Request(new URL(location, request.url), { headers: onward });
}

/** Backend pages must not be cached. */
export const headers = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/**
 * Shows the login page at the address of a form whose session has ended, or whose account is not the one that is logged
 * in. The page contains the submitted form.
 */
export async function showLogin(
  { context, request }: Incoming,
  { args }: Pick<Entered, 'args'>,
  pending: AdminContext['pending'],
  status = 401,
) {
  const address = loginUrl(args.adminContext.adminPath, {
    redirectTo: new URL(request.url).pathname,
    // A wrong password shows the login again, though another account is logged in.
    again: args.user !== null,
  });
  const page = await load({
    screen: findScreen('login')!.screen,
    args: {
      ...args,
      request: new Request(new URL(address, request.url)),
      adminContext: { ...args.adminContext, pending },
    },
  });
  if (page instanceof Response) return page;
  context.admin = { page, pending };
  return data(null, { status, headers });
}

/** Continues a login with a pending submission: shows the next step or, after the last step, the form to send again. */
export async function continueLogin(
  { context, request }: Incoming,
  { args }: Entered,
  step: Done,
  packed: string,
) {
  const adminContext = { ...args.adminContext, pending: { packed } };
  const backend = adminUrl(adminContext.adminPath);
  const { pathname } = new URL(step.location, request.url);
  const isLogin = pathname === `${backend}/login` || pathname.startsWith(`${backend}/login/`);
  const next = isLogin ? findScreen(pathname.slice(backend.length + 1)) : null;
  const page = next
    ? await load({
        screen: next.screen,
        args: { ...args, params: next.params, request: nextStep(request, step), adminContext },
      })
    : await resumePage(args, packed, await readSession(args.app, nextStep(request, step)));
  if (!page || page instanceof Response) return redirect(step.location, { headers: withCookies(step) });
  context.admin = { page };
  return data(null, { headers: withCookies(step) });
}

async function resumePage(
  { app, adminContext }: Entered['args'],
  packed: string,
  user: SessionUser | null,
): Promise<ScreenPage | null> {
  const submission = await unpackSubmission(app, packed, adminContext);
  if (!submission) return null;
  const dashboard = adminUrl(adminContext.adminPath);
  const { pathname } = new URL(submission.action, app.env.siteUrl);
  const screen = findScreen(pathname.slice(dashboard.length + 1))?.screen;
  // The account that has logged in may be another one, whose role does not include the form's page.
  const next = screen && isAllowed(screen, user) ? submission.action : dashboard;
  return {
    id: 'resume',
    ...inOwnLanguage('Welcome back', { ...adminContext, user: null }),
    data: { ...submission, next },
  };
}

/** The headers of a backend page, with the cookies that an action sets. */
export function withCookies({ cookies = [] }: Done): Headers {
  const all = new Headers(headers);
  for (const cookie of cookies) all.append('Set-Cookie', cookie);
  return all;
}
