import { redirect } from '@remix-run/node';
import { endSession, type SessionUser } from '#app/auth/sessions.server.ts';
import { adminUrl } from '#app/admin/admin-url.ts';
import type { ScreenArguments } from '#app/admin/screen.ts';

type Arguments = ScreenArguments<SessionUser | null>;

export async function load({ adminContext }: Arguments) {
  return redirect(adminUrl(adminContext.adminPath));
}

export async function act({ app, user, adminContext }: Arguments): Promise<Response> {
  const headers = user ? { 'Set-Cookie': await endSession(app, user.sessionId) } : undefined;
  return redirect(adminUrl(adminContext.adminPath, 'login'), { headers });
}
