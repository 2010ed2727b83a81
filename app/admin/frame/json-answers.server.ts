import { AppError, isAppError } from '#app/platform/errors.ts';
import { apiError, prefersJson } from '#app/platform/http/responses.ts';
import { inEnglish, type Message } from '#app/platform/message.ts';
import { isFilledText } from '#app/platform/stored-message.server.ts';
import { wordsFor } from '../languages/words-for.server.ts';
import { PAGE_USER_HEADER } from './page-user-field.tsx';
import type { ActionArguments, ActionResult, CurrentVersion, Done } from './screen.ts';

type InWords = (message: Message) => string;

/**
 * How JSON says a message: to a script of the backend's pages in the language of the page, to anything else in English
 * (contract, section 8).
 */
export function messagesFor(args: { request: Request; adminContext: { language: string } }): InWords {
  return args.request.headers.has(PAGE_USER_HEADER) ? wordsFor(args.adminContext).message : inEnglish;
}

/** True for a request that prefers JSON to a page, as scripts send it. */
export function wantsJson(request: Request): boolean {
  return prefersJson(request.headers.get('Accept'));
}

/** True for the request of a browser's form. */
export function wantsPage(request: Request): boolean {
  return (request.headers.get('Accept') ?? '').toLowerCase().includes('text/html');
}

/** The outcome of a form as JSON (contract, section 8). A browser gets the same as a redirect or a page. */
export function outcomeInJson(outcome: Done | ActionResult, inWords: InWords): Response {
  if ('location' in outcome) return doneInJson(outcome);
  const { status = 200, message = '', errors, values: _values, screen: _screen, current, ...shown } = outcome;
  if (status < 400) return sayAll(shown, inWords);
  const code = status === 409 ? 'conflict' : 'invalid_input';
  return refusalInJson(new AppError(code, message, { fields: errors }), inWords, current);
}

/** An expected failure of a form as JSON (contract, section 8). */
export function refusalInJson(
  error: AppError,
  inWords: InWords,
  current: CurrentVersion | null = null,
): Response {
  const { code, said, fields, status, reason, retryAfter } = error;
  const message = inWords(said);
  if (code === 'conflict') return Response.json({ error: { code, message }, current }, { status });
  if (code !== 'invalid_input') return apiError(new AppError(code, message, { reason, retryAfter }));
  const errors = Object.entries(fields).map(([name, messages]) => [name, messages.map(inWords).join(' ')]);
  return Response.json(
    { errors: errors.length > 0 ? Object.fromEntries(errors) : { '': message } },
    { status },
  );
}

/** An answer in which every message is a sentence. */
function sayAll(shown: object, inWords: InWords): Response {
  const text = JSON.stringify(shown, (_, value: unknown) => (isFilledText(value) ? inWords(value) : value));
  return new Response(text, { headers: { 'Content-Type': 'application/json' } });
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
      return refusalInJson(error, messagesFor(args));
    }
  };
}
