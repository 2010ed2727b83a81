import { createContext, useContext } from 'react';

/** The nonce of the response's Content Security Policy; only backend pages have one. */
export const NonceContext = createContext<string | undefined>(undefined);

export const useNonce = () => useContext(NonceContext);
