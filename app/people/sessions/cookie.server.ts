import { createCookie, type Cookie } from '@remix-run/node';
import type { Configured } from '#app/platform/services.ts';

/** A signed cookie that scripts cannot read. It covers the whole site: a path would reveal the backend's, and change with it. */
export const signedCookie = (app: Configured, name: string, maxAgeSeconds: number): Cookie =>
  createCookie(name, {
    secrets: [app.env.authSecret!],
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: app.env.production,
    maxAge: maxAgeSeconds,
  });
