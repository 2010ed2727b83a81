import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { wantsJson } from '#app/admin/frame/json-answers.server.ts';
import {
  unknownIntent,
  type ActionArguments,
  type Done,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import { newId } from '#app/platform/clock.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { requiredLine, text } from '#app/platform/text/schemas.ts';
import { say, saying } from '#app/platform/message.ts';

const SNIPPETS_MAX = 200;
const NAME_MAX = 100;
const BODY_MAX = 20_000;

/** All snippets by name. The editor asks for them, too. */
export async function load({ app, request }: ScreenArguments) {
  const snippets = await app.db.snippet.findMany({
    select: { id: true, name: true, body: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: SNIPPETS_MAX,
  });
  if (wantsJson(request)) return Response.json({ snippets });
  const query = new URL(request.url).searchParams;
  return { snippets, saved: query.has('saved'), deleted: query.has('deleted') };
}

const schema = z.object({
  id: z.string().max(64).optional(),
  name: requiredLine(NAME_MAX, 'Name'),
  body: text(BODY_MAX, 'Text').refine(
    (body) => body.trim() !== '',
    saying('{label} is required.', { label: say('Text') }),
  ),
});

/** `save` (with `id`: changes a snippet) or `delete`. */
export async function act({ app, form, adminContext }: ActionArguments): Promise<Done> {
  const { intent = 'save', ...values } = form.values;
  const url = adminUrl(adminContext.adminPath, 'snippets');
  if (intent === 'delete') {
    const { count } = await app.db.snippet.deleteMany({ where: { id: (values.id ?? '').slice(0, 64) } });
    if (count === 0) throw notFound();
    return { location: `${url}?deleted` };
  }
  if (intent !== 'save') throw unknownIntent();
  const { id, ...fields } = parseForm(schema, values);
  const now = app.clock.now();
  if (id) {
    const { count } = await app.db.snippet.updateMany({ where: { id }, data: { ...fields, updatedAt: now } });
    if (count === 0) throw notFound();
    return { location: `${url}?saved`, id };
  }
  if ((await app.db.snippet.count()) >= SNIPPETS_MAX)
    throw fieldError('name', 'You’ve reached the limit of 200 snippets. Delete one first.');
  const created = { id: newId(app.clock), ...fields, createdAt: now, updatedAt: now };
  await app.db.snippet.create({ data: created });
  return { location: `${url}?saved`, id: created.id };
}

function notFound(): AppError {
  return new AppError('not_found', 'This snippet no longer exists.');
}
