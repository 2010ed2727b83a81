import { AppError, isAppError } from '#app/platform/errors.ts';
import { apiError, prefersJson } from '#app/platform/http/responses.ts';
import type { ActionArguments, ActionResult, CurrentVersion, Done } from './screen.ts';

/** True for a request that prefers JSON to a page, as scripts send it. */
export function wantsJson(request: Request): boolean {
  return prefersJson(request.headers.get('Accept'));
}

/** True for the request of a browser's form. */
export function wantsPage(request: Request): boolean {
  return (request.headers.get('Accept') ?? '').toLowerCase().includes('text/html');
}

/** The outcome of a form as JSON (contract, section 8). A browser gets the same as a redirect or a page. */
export function outcomeInJson(outcome: Done | ActionResult): Response {
  if ('location' in outcome) return doneInJson(outcome);
  const { status = 200, message = '', errors, values: _values, screen: _screen, current, ...shown } = outcome;
  if (status < 400) return Response.json(shown, { status });
  const code = status === 409 ? 'conflict' : 'invalid_input';
  return refusalInJson(new AppError(code, message, { fields: errors }), current);
}

/** An expected failure of a form as JSON (contract, section 8). */
export function refusalInJson(error: AppError, current: CurrentVersion | null = null): Response {
  const { code, message, fields, status } = error;
  if (code === 'conflict') return Response.json({ error: { code, message }, current }, { status });
  if (code !== 'invalid_input') return apiError(error);
  const errors = Object.entries(fields).map(([name, messages]) => [name, messages.join(' ')]);
  return Response.json(
    { errors: errors.length > 0 ? Object.fromEntries(errors) : { '': message } },
    { status },
  );
}

function doneInJson({
  location,
  id = null,
  version = null,
  status = null,
  releaseText,
  cookies = [],
}: WithNulls): Response {
  const response = Response.json({ id, version, status, location, ...(releaseText && { releaseText }) });
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}

type WithNulls = { [Name in keyof Done]: Done[Name] | null } & Pick<Done, 'location' | 'cookies'>;

/** Wraps the action of an address to which only scripts post. The address has no page, so every failure is JSON. */
export function inJson(act: (args: ActionArguments) => Promise<Response>) {
  return async (args: ActionArguments): Promise<Response> => {
    try {
      return await act(args);
    } catch (error) {
      if (!isAppError(error)) throw error;
      return refusalInJson(error);
    }
  };
}
