import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { messagesFor, wantsJson } from '#app/admin/frame/json-answers.server.ts';
import { requireOwnPage, isMultipart } from '#app/admin/frame/read-form.server.ts';
import type { ActionArguments, ActionResult, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import type { UndoOffer } from '#app/admin/frame/notices.tsx';
import { readUndoOffer } from '#app/admin/frame/undo.server.ts';
import { shiftMonth } from '#app/admin/times/local.ts';
import { copyPicture } from '#app/import/media/fetch.server.ts';
import { STILL_MESSAGE, mediaKinds } from '#app/media/encode/formats.ts';
import { mediaLimits } from '#app/media/encode/limits.ts';
import { listMedia, oldestMediaAt } from '#app/media/library/queries.server.ts';
import { storeFile, storeMedia, type StoredMedia } from '#app/media/library/store-media.server.ts';
import { mayChangeMedia } from '#app/people/roles.ts';
import { AppError, fieldError, isAppError } from '#app/platform/errors.ts';
import { about, say, type Message } from '#app/platform/message.ts';
import { line } from '#app/platform/text/schemas.ts';
import { startOfDay, toLocalTime } from '#app/platform/time/time-zone.ts';
import { rememberUndo } from '#app/publishing/trash/undo.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { mediaCard } from './card.ts';
import { moveToTrash } from './item.server.ts';
import { withUpload, type SentFile, type Upload } from './read-upload.server.ts';

const PER_PAGE = 48;
const MONTHS_OFFERED = 120;

const querySchema = z.object({
  q: line(100, 'Search').catch(''),
  kind: z.enum(mediaKinds).optional().catch(undefined),
  month: z
    .string()
    .regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
  use: z.enum(['used', 'unused']).optional().catch(undefined),
  after: z.uuid().optional().catch(undefined),
  still: z.string().optional().catch(undefined),
  stored: z.coerce.number().int().min(1).max(1_000).optional().catch(undefined),
});

export async function load(args: ScreenArguments) {
  const { app, request } = args;
  const query = querySchema.parse(Object.fromEntries(new URL(request.url).searchParams));
  const { q = '', kind, month, use, after } = query;
  const { timeZone } = args.adminContext;
  const between = month === undefined ? undefined : monthIn(timeZone, month);
  const isUsed = use && use === 'used';
  const filter = { text: q, kind, between, isUsed };
  const { media, next } = await listMedia(app, filter, { after, pageSize: PER_PAGE });
  return {
    query: { q, kind, month, use },
    months: monthsBetween(await oldestMediaAt(app), app.clock.now(), timeZone),
    isFirstPage: query.after === undefined,
    stored: query.stored ?? null,
    isStill: query.still !== undefined,
    media: media.map((row) => ({ ...mediaCard(row), mayTrash: mayChangeMedia(args.user, row) })),
    maxBytes: await readSetting(app, 'media_max_bytes'),
    next,
    undo: await readUndoOffer(args, 'media'),
  };
}

/** From the first instant of a month `YYYY-MM` to the first of the next one. */
function monthIn(timeZone: string, month: string) {
  const [from, to] = [month, shiftMonth(month, 1)].map((name) => startOfDay(`${name}-01`, timeZone));
  return from && to ? { from, to } : undefined;
}

/** The months from the oldest file to now, the newest first. */
function monthsBetween(oldest: Date | null, now: Date, timeZone: string): string[] {
  const [first, last] = [oldest ?? now, now].map((at) => toLocalTime(at, timeZone).slice(0, 7));
  const months: string[] = [];
  for (let month = first!; month <= last!; month = shiftMonth(month, 1)) months.push(month);
  return months.reverse().slice(0, MONTHS_OFFERED);
}

/** The JSON answer to an upload by a script. */
export interface UploadAnswer {
  media: {
    id: string;
    /** The encoded path for use in a post's text: `/uploads/…`. */
    path: string;
    alt: string;
    width: number | null;
    height: number | null;
  }[];
  errors: { name: string; message: string }[];
  /** About stored files; absent without any. */
  warnings?: { name: string; message: string }[];
}

interface FileError {
  name: string;
  message: Message;
}

/**
 * Stores the valid files of an upload, or copies the picture at `address`; or moves the chosen files to the trash. Names
 * each refused file with the reason.
 */
export async function act(
  args: ActionArguments,
): Promise<ActionResult<{ stored: number; refused: FileError[]; undo: UndoOffer | null }> | Done | Response> {
  if (!isMultipart(args.request) && args.form.values.intent === 'delete') return trashChosen(args);
  const asJson = wantsJson(args.request);
  try {
    const maxBytes = await readSetting(args.app, 'media_max_bytes');
    const { stored, errors } = await withUpload(args.request, maxBytes, (upload) =>
      storeAll(args, upload, maxBytes),
    );
    if (asJson) return jsonAnswer(args, stored, errors);
    const still = stored.some(({ isStill }) => isStill) ? '&still' : '';
    if (errors.length === 0)
      return {
        location: `${adminUrl(args.adminContext.adminPath, 'media')}?stored=${stored.length}${still}`,
      };
    const messages = errors.map(({ name, message }) => (name === '' ? message : about(name, message)));
    return { status: 400, errors: { file: messages }, stored: stored.length };
  } catch (error) {
    const isOfFiles = isAppError(error) && error.status < 500 && error.code !== 'unauthorized';
    if (!asJson || !isOfFiles) throw error;
    return jsonAnswer(args, [], [{ name: '', message: error.said }], error.status);
  }
}

async function trashChosen(
  args: ActionArguments,
): Promise<ActionResult<{ refused: FileError[]; undo: UndoOffer | null }> | Done> {
  const { app, form, user, adminContext } = args;
  const ids = [...new Set(form.all('ids'))];
  if (ids.length === 0) throw new AppError('invalid_input', 'Choose at least one file.');
  if (ids.length > PER_PAGE)
    throw new AppError('invalid_input', say('Choose at most {most} files at once.', { most: PER_PAGE }));
  const refused: FileError[] = [];
  const trashed: string[] = [];
  for (const id of ids) {
    const media = await app.db.media.findUnique({ where: { id, trashedAt: null } });
    // Somebody has just moved it to the trash.
    if (!media) continue;
    try {
      await moveToTrash(args, media);
      trashed.push(id);
    } catch (error) {
      if (!isAppError(error) || error.status >= 500) throw error;
      refused.push({ name: media.originalName, message: error.said });
    }
  }
  const number = trashed.length;
  const summary = say(number === 1 ? '1 file moved to the trash.' : '{number} files moved to the trash.', {
    number,
  });
  const changes = trashed.map((id) => ({ restore: 'media' as const, id }));
  const undoId = await rememberUndo(app, user.id, summary, { back: 'media', changes });
  if (refused.length > 0)
    return { status: 400, refused, undo: undoId === null ? null : { id: undoId, summary } };
  return { location: adminUrl(adminContext.adminPath, 'media') };
}

async function storeAll({ app, user, request }: ScreenArguments, { files, texts }: Upload, maxBytes: number) {
  requireOwnPage({ user, request, fields: texts });
  if (texts.address !== undefined) {
    const media = await copyPicture(app, { address: texts.address, uploadedById: user.id });
    return { stored: [media], errors: [] };
  }
  if (files.length === 0) {
    throw fieldError('file', 'Choose a file.');
  }
  const stored: StoredMedia[] = [];
  const errors: FileError[] = [];
  for (const file of files) {
    try {
      stored.push(await storeSent(app, file, { alt: texts.alt ?? '', uploadedById: user.id, maxBytes }));
    } catch (error) {
      if (!isAppError(error) || error.status >= 500) throw error;
      errors.push({ name: file.name.slice(0, 100), message: error.said });
    }
  }
  return { stored, errors };
}

async function storeSent(
  app: ScreenArguments['app'],
  file: SentFile,
  { maxBytes, ...facts }: { alt: string; uploadedById: string; maxBytes: number },
): Promise<StoredMedia> {
  const { name: originalName, format, isTooLarge } = file;
  if (isTooLarge)
    throw new AppError('invalid_input', tooLarge(format === null ? mediaLimits.fileBytes : maxBytes));
  if (format !== null) return storeFile(app, { ...file, ...facts, format, originalName });
  return storeMedia(app, { ...facts, originalName, bytes: await file.read() });
}

function tooLarge(bytes: number): Message {
  const limit = bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.floor(bytes / 1024 / 1024)} MB`;
  return say('The file is too large. The limit is {limit}.', { limit });
}

function jsonAnswer(
  args: ActionArguments,
  stored: StoredMedia[],
  refused: FileError[],
  status = 400,
): Response {
  const inWords = messagesFor(args);
  const errors = refused.map(({ name, message }) => ({ name, message: inWords(message) }));
  const media = stored.map((row) => {
    const { id, url: path, alt, width, height } = mediaCard(row);
    return { id, path, alt, width, height };
  });
  const warnings = stored.flatMap(({ isStill, originalName: name }) =>
    isStill ? [{ name, message: STILL_MESSAGE }] : [],
  );
  const answer = { media, errors, ...(warnings.length > 0 && { warnings }) } satisfies UploadAnswer;
  return Response.json(answer, { status: media.length > 0 ? 200 : status });
}
