import { pathKey } from '#app/platform/http/page-keys.ts';
import type { Reading } from '#app/platform/services.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { encodePath } from '../paths.ts';

/** What WordPress adds to a picture's name for its smaller copies. */
const sizeInName = /-(?:\d+x\d+|scaled)(?=\.\w+$)/;
const SAME_NAME_MAX = 50;
const MENTIONS_MAX = 500;

interface Candidate {
  path: string;
  covers: { publishedAt: Date | null }[];
}

/**
 * The file of the library for an address of WordPress's uploads, such as `/wp-content/uploads/2020/01/a-300x200.jpg`.
 * Files of two months may share a name: then the file that a post of the address's month names, or null if that is not
 * one file.
 */
export async function oldUpload(app: Reading, address: string): Promise<string | null> {
  app.recordKeys?.(pathKey(address));
  const name = address.slice(address.lastIndexOf('/') + 1);
  const whole = name.replace(sizeInName, '');
  for (const originalName of new Set([name, whole, whole.replace(/(?=\.\w+$)/, '-scaled')])) {
    const files = await app.db.media.findMany({
      where: { originalName, trashedAt: null },
      select: { path: true, covers: { select: { publishedAt: true } } },
      take: SAME_NAME_MAX,
    });
    if (files.length === 0) continue;
    const file = files.length === 1 ? files[0]! : await fileOfMonth(app, files, address);
    return file && encodePath(`/uploads/${file.path}`);
  }
  return null;
}

/** WordPress stores what is uploaded for a post in the folder of the post's month. */
async function fileOfMonth(app: Reading, files: Candidate[], address: string): Promise<Candidate | null> {
  const [, year, month] = /\/(\d{4})\/(\d{2})\/[^/]+$/.exec(address) ?? [];
  if (year === undefined) return null;
  // A day more on each side: the month of a post depends on the site's time zone.
  const from = Date.UTC(Number(year), Number(month) - 1) - DAY_MS;
  const to = Date.UTC(Number(year), Number(month)) + DAY_MS;
  const isInMonth = (date: Date | null) => date !== null && date.getTime() >= from && date.getTime() < to;
  const mentions = await app.db.fileMention.findMany({
    where: { file: { in: files.map(withoutEnding) }, kind: 'post' },
    select: { file: true, owner: true },
    take: MENTIONS_MAX,
  });
  const posts = await app.db.post.findMany({
    where: { id: { in: mentions.map(({ owner }) => owner) } },
    select: { id: true, publishedAt: true },
  });
  const ofMonth = new Set(posts.flatMap(({ id, publishedAt }) => (isInMonth(publishedAt) ? [id] : [])));
  const named = new Set(mentions.flatMap(({ file, owner }) => (ofMonth.has(owner) ? [file] : [])));
  const [found, ...others] = files.filter(
    (file) => named.has(withoutEnding(file)) || file.covers.some(({ publishedAt }) => isInMonth(publishedAt)),
  );
  return found && others.length === 0 ? found : null;
}

/** The name of a file in `file_mentions`. */
function withoutEnding({ path }: Candidate): string {
  return path.replace(/\.\w+$/, '');
}
