import { redirect } from '@remix-run/node';
import { fromStored } from '#app/platform/stored-message.server.ts';
import { readUndoStep } from '#app/publishing/change/undo-change.ts';
import { undo } from '#app/publishing/trash/undo.server.ts';
import { adminUrl } from './admin-url.ts';
import type { ActionArguments, Done, ScreenArguments } from './screen.ts';
import type { UndoOffer } from './notices.tsx';

/** How long a list offers to undo the newest action if its address names no action. */
const RECENT_MS = 60_000;

/** Redirects a GET, since the address accepts only a form. */
export function load({ adminContext }: ScreenArguments): Promise<Response> {
  return Promise.resolve(redirect(adminUrl(adminContext.adminPath, 'posts')));
}

/** Undoes the action of a message, and redirects to the screen of the message. */
export async function act({ app, form, user, adminContext, address }: ActionArguments): Promise<Done> {
  const id = (form.values.id ?? '').slice(0, 64);
  const outcome = await undo(app, { user, address }, id);
  const { back, undone, kept } = outcome ?? { back: 'posts', undone: 0, kept: 0 };
  const page = adminUrl(adminContext.adminPath) + `/${back}`;
  return { location: `${page}${back.includes('?') ? '&' : '?'}undone=${undone}&kept=${kept}` };
}

/**
 * The message about the user's last action: an offer to undo the action, or the result of undoing it.
 * @param of the screen's path; actions of other screens have no message here
 */
export async function readUndoOffer(
  { app, user, request }: ScreenArguments,
  of: string,
): Promise<UndoOffer | null> {
  const parameters = new URL(request.url).searchParams;
  const [undone, kept] = [countIn(parameters, 'undone'), countIn(parameters, 'kept')];
  if (undone !== null && kept !== null) return { undone, kept };
  const requestedId = parameters.get('undo')?.slice(0, 64);
  const since = new Date(app.clock.now().getTime() - RECENT_MS);
  const row = await app.db.undoStep.findFirst({
    where: { userId: user.id, ...(requestedId ? { id: requestedId } : { createdAt: { gte: since } }) },
    orderBy: { createdAt: 'desc' },
    select: { id: true, summary: true, changes: true },
  });
  if (!row || readUndoStep(row.changes)?.back.split('?')[0] !== of) return null;
  return { id: row.id, summary: fromStored(row.summary) };
}

function countIn(parameters: URLSearchParams, name: string): number | null {
  const count = parameters.get(name);
  return count !== null && /^\d{1,4}$/.test(count) ? Number(count) : null;
}
