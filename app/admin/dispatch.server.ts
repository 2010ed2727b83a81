import { data, redirect } from '@remix-run/node';
import { asUnavailable, asUnstorable } from '#app/platform/database/failure.server.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { formLimits, type ActionResult, type Done, SubmittedForm } from '#app/admin/frame/screen.ts';
import {
  isOfOtherAccount,
  requireOwnPage,
  discardBody,
  isMultipart,
  parseBody,
  withBody,
} from '#app/admin/frame/read-form.server.ts';
import { PENDING_SUBMISSION_FIELD } from '#app/admin/login/pending-submission.tsx';
import { loginUrl } from '#app/admin/frame/admin-url.ts';
import {
  enter,
  isAllowed,
  load,
  withUser,
  type Entered,
  type Incoming,
  findScreen,
} from './enter-screen.server.ts';
import { messagesFor, outcomeInJson, refusalInJson, wantsJson } from './frame/json-answers.server.ts';
import {
  findOtherAccountsForm,
  keepSubmission,
  limitsOfOpenForm,
  OtherAccountsForm,
  continueLogin,
  headers,
  showLogin,
  withCookies,
} from './pending-submission.server.ts';
import type { Screen } from './screens.server.ts';

/** GET: the screen at the current admin path, a stored redirect, or the plain 404. */
export async function loadScreen(incoming: Incoming) {
  const { admin } = incoming.context;
  if (admin?.response) return null;
  if (admin?.page) return data(admin.page, { headers });
  return withFailures(incoming, async () => {
    const entered = await enter(incoming);
    if (needsLogin(entered)) {
      const { pathname, search } = new URL(incoming.request.url);
      const login = loginUrl(entered.args.adminContext.adminPath, { redirectTo: pathname + search });
      return redirect(login, { headers });
    }
    const page = await load(entered);
    return page instanceof Response ? send(incoming, page) : data(page, { headers });
  });
}

/** POST: the screen's action. An expected failure shows the same page with the failure's status, errors and values. */
export async function actOnScreen(incoming: Incoming) {
  const { context, request } = incoming;
  return withFailures(incoming, async () => {
    const entered = await enter(incoming);
    if (needsLogin(entered))
      return showLogin(incoming, entered, await keepSubmission(incoming.app, request, entered.screen));
    const { screen, args } = entered;
    if (args.user && !isAllowed(screen, args.user) && !wantsJson(request)) {
      const form = await findOtherAccountsForm(incoming.app, request, args.user);
      if (form) return showLogin(incoming, entered, form.pending, 403);
    }
    const outcome = await act(incoming, entered);
    if (outcome instanceof OtherAccountsForm) return showLogin(incoming, entered, outcome.pending);
    if (outcome instanceof Response) return send(incoming, outcome);
    if (wantsJson(request)) return send(incoming, outcomeInJson(outcome, messagesFor(entered.args)));
    if (!('location' in outcome)) return await showResult(incoming, entered, outcome);
    const pending = context.admin?.pending;
    if (typeof pending === 'object') return continueLogin(incoming, entered, outcome, pending.packed);
    return redirect(outcome.location, { headers: withCookies(outcome) });
  }).finally(() => discardBody(request));
}

function needsLogin({ screen, args }: Entered): boolean {
  return screen.access !== 'everybody' && args.user === null && !wantsJson(args.request);
}

/** Runs the action. Reads the body only after checking that the user may use the screen. */
async function act(
  incoming: Incoming,
  { screen, args }: Entered,
): Promise<Done | ActionResult | Response | OtherAccountsForm> {
  const { app, request, context } = incoming;
  const run = await actionOf(screen, args);
  let form = new SubmittedForm([]);
  try {
    // A screen that takes files reads the body itself while it arrives.
    if (screen.files && isMultipart(request)) return await run(form);
    const isOpen = screen.access === 'everybody';
    const limits = isOpen ? await limitsOfOpenForm(app, request) : (screen.limits ?? formLimits);
    return await withBody(request, { limits, budget: app.formBudget }, async (body) => {
      form = await parseBody(body, limits);
      if (args.user && !isOpen) {
        const sent = { user: args.user, request, fields: form.values };
        if (wantsJson(request)) requireOwnPage(sent);
        else if (isOfOtherAccount(sent)) return new OtherAccountsForm(request, body);
      }
      const packed = isOpen && form.values[PENDING_SUBMISSION_FIELD];
      if (packed) context.admin = { pending: { packed } };
      return run(form);
    });
  } catch (failure) {
    const error = asUnavailable(asUnstorable(failure));
    if (!isAppError(error) || error.code === 'not_found' || wantsJson(request)) throw error;
    const { status, said, fields, retryAfter } = error;
    return { status, message: said, errors: fields, values: withoutSecrets(form), retryAfter };
  }
}

async function actionOf(screen: Screen, args: Entered['args']) {
  if (args.request.method !== 'POST') throw methodNotAllowed();
  if (screen.access === 'everybody') {
    const module = await screen.module();
    return (form: SubmittedForm): Outcome => module.act({ ...args, form });
  }
  const screenArgs = withUser(screen, args);
  const module = await screen.module();
  if (!('act' in module)) throw methodNotAllowed();
  return (form: SubmittedForm): Outcome => module.act({ ...screenArgs, form });
}

type Outcome = Promise<Done | ActionResult | Response>;

/** The values to show again in the form: without passwords, codes and the pending submission. */
function withoutSecrets({ values }: SubmittedForm): Record<string, string> {
  const shown = ([name]: [string, string]) =>
    name !== PENDING_SUBMISSION_FIELD && !/password|code$/i.test(name);
  return Object.fromEntries(Object.entries(values).filter(shown));
}

function methodNotAllowed(): AppError {
  return new AppError('method_not_allowed', 'This page doesn’t accept forms.');
}

async function showResult({ context }: Incoming, { args }: Entered, outcome: ActionResult) {
  const { retryAfter, screen: path, ...result } = outcome;
  const matched = path === undefined ? null : findScreen(path);
  if (matched) {
    const page = await load({ screen: matched.screen, args: { ...args, params: matched.params } });
    if (!(page instanceof Response)) context.admin = { page };
  }
  const resultHeaders =
    retryAfter === undefined ? headers : { ...headers, 'Retry-After': String(Math.ceil(retryAfter)) };
  return data(result, { status: result.status ?? 200, headers: resultHeaders });
}

/** Returns a redirect to Remix. Any other response of a screen is sent unchanged. */
function send({ context }: Incoming, response: Response): Response | null {
  if (response.status >= 300 && response.status < 400) return response;
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  context.admin = { response };
  return null;
}

/** Runs `work`. Answers expected failures as JSON to a script, as an error page to a browser. */
async function withFailures<T>(incoming: Incoming, work: () => Promise<T>) {
  try {
    return await work();
  } catch (failure) {
    const error = asUnstorable(failure);
    if (!isAppError(error)) throw error;
    if (error.status >= 500) incoming.app.log.error({ err: error }, 'A screen failed');
    const { request, context } = incoming;
    const language = context.backendLanguage ?? 'en';
    if (wantsJson(request))
      return send(incoming, refusalInJson(error, messagesFor({ request, adminContext: { language } })));
    throw data({ message: error.message, language: context.ownLanguage }, { status: error.status, headers });
  }
}
