import { adminUrl } from './admin-url.ts';
import type { ActionArguments, Done, ScreenArguments } from './screen.ts';
import type { UndoOffer } from './undo-offer.ts';
import { redirect } from '@remix-run/node';
import { readUndoStep } from '#app/publishing/undo-change.ts';
import { undo } from '#app/publishing/undo.server.ts';

/** How long a list offers to undo the newest action, where no address names one. */
const RECENT_MS = 60_000;

/** The address accepts only a form. */
export function load({ adminContext }: ScreenArguments): Promise<Response> {
  return Promise.resolve(redirect(adminUrl(adminContext.adminPath, 'posts')));
}

/** Undoes the action of a message, and redirects to the screen that showed it. */
export async function act({ app, form, user, adminContext, address }: ActionArguments): Promise<Done> {
  const id = (form.values.id ?? '').slice(0, 64);
  const outcome = await undo(app, { user, address }, id);
  const { back, undone, kept } = outcome ?? { back: 'posts', undone: 0, kept: 0 };
  const place = adminUrl(adminContext.adminPath) + `/${back}`;
  return { location: `${place}${back.includes('?') ? '&' : '?'}undone=${undone}&kept=${kept}` };
}

/**
 * The message about this person's last action: that it can be undone, or the result of undoing it.
 * @param of the screen's path, as the actions name it that belong to it: those of other screens have no message here
 */
export async function readUndoOffer(
  { app, user, request }: ScreenArguments,
  of: string,
): Promise<UndoOffer | null> {
  const parameters = new URL(request.url).searchParams;
  const [undone, kept] = [countIn(parameters, 'undone'), countIn(parameters, 'kept')];
  if (undone !== null && kept !== null) return { undone, kept };
  const asked = parameters.get('undo')?.slice(0, 64);
  const since = new Date(app.clock.now().getTime() - RECENT_MS);
  const row = await app.db.undoStep.findFirst({
    where: { userId: user.id, ...(asked ? { id: asked } : { createdAt: { gte: since } }) },
    orderBy: { createdAt: 'desc' },
    select: { id: true, summary: true, changes: true },
  });
  if (!row || readUndoStep(row.changes)?.back.split('?')[0] !== of) return null;
  return { id: row.id, summary: row.summary };
}

function countIn(parameters: URLSearchParams, name: string): number | null {
  const count = parameters.get(name);
  return count !== null && /^\d{1,4}$/.test(count) ? Number(count) : null;
}
