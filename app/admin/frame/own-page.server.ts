import { AppError } from '#app/platform/errors.ts';
import { OTHER_ACCOUNT, PAGE_USER_FIELD } from './page-user.ts';

/**
 * True for a form from the page of another account. A form that names no user counts as the own one. Only browsers, which
 * send this header (Fetch Metadata), share their cookies between pages: another program may send the fields of any page.
 */
export function isOfOtherAccount({ user, request, fields }: SentForm): boolean {
  return request.headers.has('Sec-Fetch-Site') && (fields[PAGE_USER_FIELD] ?? user.id) !== user.id;
}

/** @throws AppError `unauthorized` for a form from the page of another account. */
export function requireOwnPage(form: SentForm): void {
  if (isOfOtherAccount(form)) throw otherAccount();
}

/** The refusal of a script's request from the page of another account. */
export function otherAccount(): AppError {
  const message = 'This browser is now logged in with another account. Nothing was changed.';
  return new AppError('unauthorized', message, { reason: OTHER_ACCOUNT });
}

interface SentForm {
  /** The account that is logged in. */
  user: { id: string };
  request: Request;
  fields: Readonly<Record<string, string>>;
}
