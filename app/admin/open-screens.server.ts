import type { Entry } from './screen-entry.ts';

/** The part of the screen table that needs no login. */
export const openScreens = [
  {
    id: 'login',
    pattern: 'login',
    title: 'Log in',
    access: 'everybody',
    module: () => import('./login/login.server.ts'),
  },
  {
    id: 'login-code',
    pattern: 'login/code',
    title: 'Log in',
    access: 'everybody',
    module: () => import('./login/code.server.ts'),
  },
  {
    id: 'forgot',
    pattern: 'login/forgot',
    title: 'Reset password',
    access: 'everybody',
    module: () => import('./login/forgot.server.ts'),
  },
  {
    id: 'choose-password',
    pattern: 'login/reset',
    title: 'Choose a password',
    access: 'everybody',
    module: () => import('./login/reset.server.ts'),
  },
  {
    id: 'choose-password',
    pattern: 'login/invitation',
    title: 'Welcome',
    access: 'everybody',
    module: () => import('./login/invitation.server.ts'),
  },
  {
    id: 'logout',
    pattern: 'logout',
    title: 'Log out',
    access: 'everybody',
    module: () => import('./login/logout.server.ts'),
  },
] as const satisfies readonly Entry[];
