import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { endSession, type SessionUser } from '#app/people/sessions/sessions.server.ts';

export async function load({ adminContext }: ScreenArguments<SessionUser | null>) {
  return redirect(adminUrl(adminContext.adminPath));
}

export async function act({ app, user, adminContext }: ActionArguments<SessionUser | null>): Promise<Done> {
  const cookies = user ? [await endSession(app, user.sessionId)] : [];
  return { location: adminUrl(adminContext.adminPath, 'login'), cookies };
}
