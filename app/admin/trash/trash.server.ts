import * as z from 'zod';
import type { Db } from '#app/platform/services.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { sweepRemovedMedia } from '#app/media/library/sweep.server.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { may } from '#app/people/roles.ts';
import { AppError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { trashEntries, trashedId } from '#app/platform/trash-key.ts';
import { TRASH_DAYS, type TrashKind } from '#app/publishing/change/trash-item.ts';
import { restoreMedia } from '#app/publishing/media/trash.server.ts';
import { restorePost } from '#app/publishing/posts/trash.server.ts';
import { restoreTerm } from '#app/publishing/terms/trash.server.ts';
import { requireTrashAccess, trashRefusal, purgeTrashed } from '#app/publishing/trash/purge.server.ts';

const PER_PAGE = 50;

const querySchema = z.object({
  /** Time and id of the last item of the previous page. */
  after: z
    .string()
    .regex(/^\d{1,15}_[\w:-]{1,80}$/)
    .optional()
    .catch(undefined),
  done: z.enum(['restored', 'restored-post', 'purged']).optional().catch(undefined),
});

/** A page of the items that the user has deleted or may restore, the last deleted first. */
export async function load({ app, request, user }: ScreenArguments) {
  const { after, done } = querySchema.parse(Object.fromEntries(new URL(request.url).searchParams));
  const visible = may(user, 'posts:all') ? {} : { ownerId: user.id };
  const rows = await app.db.trashItem.findMany({
    where: { AND: [visible, after ? afterItem(after) : {}] },
    orderBy: [{ trashedAt: 'desc' }, { id: 'desc' }],
    take: PER_PAGE + 1,
  });
  const page = rows.slice(0, PER_PAGE);
  const names = await readNames(
    app,
    page.flatMap(({ trashedById }) => trashedById ?? []),
  );
  const last = page.at(-1);
  // An editor may have put somebody's own post here that they could not have deleted.
  const refusals = may(user, 'posts:all')
    ? []
    : await Promise.all(page.map((item) => trashRefusal(app, user, { ...item, id: trashedId(item.id) })));
  return {
    items: page.map(({ id, kind, title, trashedAt, trashedById }, index) => ({
      id: trashedId(id),
      kind: kind as TrashKind,
      title,
      trashedAt,
      trashedBy: names.get(trashedById ?? '') ?? null,
      daysLeft: Math.max(
        0,
        Math.ceil(TRASH_DAYS - (app.clock.now().getTime() - trashedAt.getTime()) / DAY_MS),
      ),
      refusal: refusals[index] ?? null,
    })),
    next: rows.length > PER_PAGE && last ? `${last.trashedAt.getTime()}_${last.id}` : null,
    isFirstPage: after === undefined,
    days: TRASH_DAYS,
    done: done ?? null,
  };
}

function afterItem(after: string) {
  const [time, id] = after.split('_') as [string, string];
  const trashedAt = new Date(Number(time));
  if (Number.isNaN(trashedAt.getTime())) return {};
  return { OR: [{ trashedAt: { lt: trashedAt } }, { trashedAt, id: { lt: id } }] };
}

async function readNames(app: Db, ids: string[]): Promise<Map<string, string>> {
  const users = await app.db.user.findMany({
    where: { id: { in: ids } },
    select: { id: true, displayName: true },
  });
  return new Map(users.map(({ id, displayName }) => [id, displayName]));
}

const formSchema = z.object({
  id: z.string('Choose something in the trash.').max(64, 'This is not in the trash.'),
  kind: z.enum(['post', 'media', 'term'], 'Choose a kind: post, media or term.'),
  intent: z.enum(['restore', 'purge'], 'This action is unknown. Use one of the buttons.'),
});

export async function act(args: ActionArguments): Promise<Done> {
  const { app, user, adminContext, address } = args;
  const { id, kind, intent } = parseForm(formSchema, args.form.values);
  const kinds = kind === 'term' ? ['category', 'tag'] : [kind];
  const where = { OR: kinds.map((one) => trashEntries(one, id)) };
  const item = await app.db.trashItem.findFirst({ where });
  if (!item) throw new AppError('not_found', 'This is not in the trash any more.');
  await requireTrashAccess(app, user, { ...item, id });
  const by = byUser(user, address);
  const trashKind = item.kind as TrashKind;
  const done = intent === 'purge' ? 'purged' : trashKind === 'post' ? 'restored-post' : 'restored';
  const location = `${adminUrl(adminContext.adminPath, 'trash')}?done=${done}`;
  if (intent === 'purge') {
    await purgeTrashed(app, by, { kind: trashKind, id });
    if (kind === 'media') await sweepRemovedMedia(app);
    return { location, id };
  }
  if (trashKind === 'post') {
    const { version, status } = await restorePost(app, { postId: id, editorId: user.id, address });
    return { location, id, version, status };
  }
  if (trashKind === 'media') await restoreMedia(app, by, id);
  else return { location, id: await restoreTerm(app, by, { kind: trashKind, id }) };
  return { location, id };
}
