import { createContext, useContext } from 'react';

/**
 * The header in which a script names the user of its page. Another account may have logged in since, in another tab of
 * the same browser: its session must not do what this page asks for.
 */
export const PAGE_USER_HEADER = 'X-Page-User';

/** The hidden field in which a form names the user of its page, for the same reason. */
export const PAGE_USER_FIELD = 'pageUser';

/** The reason (`AppError.reason`) of the 401 for the page of another account than the one that is logged in. */
export const OTHER_ACCOUNT = 'other_account';

/** The header for a script's request: the user that the forms of the page name. */
export function pageUserHeader(): Record<string, string> {
  const field = document.querySelector<HTMLInputElement>(`input[name=${PAGE_USER_FIELD}]`);
  return field ? { [PAGE_USER_HEADER]: field.value } : {};
}

/** The id of the page's user; null on pages before the login. */
export const PageUser = createContext<string | null>(null);

/** Names the page's user in a form. Every form of the backend has it, except those before the login. */
export function PageUserField() {
  const userId = useContext(PageUser);
  return userId ? <input type="hidden" name={PAGE_USER_FIELD} value={userId} /> : null;
}
