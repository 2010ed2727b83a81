import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Stored } from '#app/media/store/media-store.ts';
import { holdImportedIssues } from '#app/newsletter/issues.server.ts';
import { newId } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import type { Timed } from '#app/platform/services.ts';
import { updatePlan } from './record.server.ts';

/** Beside the media; the name of Dateline's own files begins with a dot. */
const INSTANCE_FILE = '.instance_id';

/**
 * True after a restore or a copy: the database names another instance than the file beside the media. A database that
 * names none is new.
 */
export async function isHeld(app: Pick<Timed, 'db'> & Stored): Promise<boolean> {
  const id = await readInstanceId(app);
  return id !== '' && (await readFile(app)) !== id;
}

/** Makes sure that the instance has an id before it sends anything: the one beside the media, or a new one. */
export async function nameInstance(app: Timed & Stored): Promise<void> {
  if ((await readInstanceId(app)) !== '') return;
  const id = (await readFile(app)) ?? newId(app.clock);
  // The file first: a process that ends in between leaves a database without an id, which the next one names.
  await writeFile(app, id);
  const updatedAt = app.clock.now();
  await app.db.siteState.upsert({ where: { id: 1 }, create: { id: 1, updatedAt }, update: {} });
  await app.db.siteState.updateMany({ where: { id: 1, instanceId: '' }, data: { instanceId: id } });
  const instanceId = await readInstanceId(app);
  // Of two processes that did this at once, one has named the database.
  if (instanceId !== id) await writeFile(app, instanceId);
}

/** The instance that the database belongs to; empty: none yet. */
export async function readInstanceId({ db }: Pick<Timed, 'db'>): Promise<string> {
  const state = await db.siteState.findUnique({ where: { id: 1 }, select: { instanceId: true } });
  return state?.instanceId ?? '';
}

/**
 * Makes the database that of another instance, in the transaction that replaces its content, so that effects are held
 * until somebody releases them. Webhooks are replaced too.
 */
export async function holdAfterImport(app: Timed, tx: Transaction): Promise<void> {
  const now = app.clock.now();
  await updatePlan(tx, now);
  await holdImportedIssues(tx);
  await tx.siteState.update({ where: { id: 1 }, data: { instanceId: newId(app.clock) } });
}

/** Makes the database and the media those of one instance. */
export async function joinInstance(app: Timed & Stored): Promise<void> {
  const id = await readInstanceId(app);
  if (id === '') await nameInstance(app);
  else await writeFile(app, id);
}

async function readFile({ mediaStore }: Stored): Promise<string | null> {
  const file = await mediaStore.get(INSTANCE_FILE);
  return file === null ? null : (await text(file.body)).trim();
}

async function writeFile({ mediaStore }: Stored, id: string): Promise<void> {
  const bytes = Buffer.from(`${id}\n`);
  const sha256 = sha256Of(bytes);
  await mediaStore.put(INSTANCE_FILE, { bytes: bytes.length, sha256, open: () => Readable.from([bytes]) });
}
