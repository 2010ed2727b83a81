import { createContext, useContext } from 'react';
import { PAGE_USER_FIELD } from './page-user.ts';

/** The id of the page's user; null on pages before the login. */
export const PageUser = createContext<string | null>(null);

/** Names the page's user in a form. Every form of the backend has it, except those before the login. */
export function PageUserField() {
  const userId = useContext(PageUser);
  return userId ? <input type="hidden" name={PAGE_USER_FIELD} value={userId} /> : null;
}
