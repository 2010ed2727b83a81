import { AppError } from '#app/platform/errors.ts';

/**
 * The header in which a script names the user of its page. Another account may have logged in since, in another tab of
 * the same browser: its session must not do what this page asks for.
 */
export const PAGE_USER_HEADER = 'X-Page-User';

/** The hidden field in which a form names the user of its page, for the same reason. */
export const PAGE_USER_FIELD = 'pageUser';

/** The message of the 401 for the page of another account than the one that is logged in. */
export const OTHER_ACCOUNT = 'This browser is now logged in with another account. Nothing was changed.';

/**
 * True for a form from the page of another account. A form that names no user counts as the own one. Only browsers, which
 * send this header (Fetch Metadata), share their cookies between pages: another program may send the fields of any page.
 */
export function isOfOtherAccount({ user, request, fields }: SentForm): boolean {
  return request.headers.has('Sec-Fetch-Site') && (fields[PAGE_USER_FIELD] ?? user.id) !== user.id;
}

/** @throws AppError `unauthorized` for a form from the page of another account. */
export function requireOwnPage(form: SentForm): void {
  if (isOfOtherAccount(form)) throw new AppError('unauthorized', OTHER_ACCOUNT);
}

interface SentForm {
  /** The account that is logged in. */
  user: { id: string };
  request: Request;
  fields: Readonly<Record<string, string>>;
}

/** The header for a script's request: the user that the forms of the page name. */
export function pageUserHeader(): Record<string, string> {
  const field = document.querySelector<HTMLInputElement>(`input[name=${PAGE_USER_FIELD}]`);
  return field ? { [PAGE_USER_HEADER]: field.value } : {};
}
