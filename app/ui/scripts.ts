import { createContext, useContext, useSyncExternalStore } from 'react';

/** The nonce of the response's Content Security Policy; only backend pages have one. */
export const NonceContext = createContext<string | undefined>(undefined);

export const useNonce = () => useContext(NonceContext);

/** Whether the pages of a route need scripts. The route then exports `handle = { scripts: true }`. */
export function wantsScripts(handle: unknown): boolean {
  return typeof handle === 'object' && handle !== null && 'scripts' in handle && handle.scripts === true;
}

const never = () => () => {};

/** False on the server and in the first render of the browser, true once scripts run. */
export function useScripted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
