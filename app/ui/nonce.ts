import { createContext, useContext } from 'react';

/** The Content Security Policy's nonce of this answer; only backend pages carry one. */
export const NonceContext = createContext<string | undefined>(undefined);

export const useNonce = () => useContext(NonceContext);
