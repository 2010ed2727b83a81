import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { dropCopy, type LocalCopy } from './local-copy.ts';
import { fetchJson } from './requests.ts';
import { isStored } from './sent-text.ts';

interface Kept {
  key: string;
  copy: LocalCopy;
}

/** The time in which the last save of a page arrives after the browser has left the page. */
const ARRIVES_WITHIN_MS = 2_000;

/**
 * The copies on this device that the server does not have. Deletes those that it has: as the saved text, or as this user's
 * unsaved changes, which the editor offers itself.
 * @param options.pageOf the address of the editor that saves a copy to where it was typed for
 * @param options.ofNewPosts only the copies of posts that the server does not have. The editor of any other post offers its own.
 */
export async function findUnsent(
  kept: Kept[],
  options: { pageOf: (copy: LocalCopy) => string; ofNewPosts: boolean },
): Promise<Kept[]> {
  const isOffered = await Promise.all(
    kept.map(async ({ key, copy }) => {
      const found = await findCopy(copy, options.pageOf(copy));
      if (found === 'stored') dropCopy(key);
      return found === 'unknown' || (found === 'other' && !options.ofNewPosts);
    }),
  );
  return kept.filter((_, index) => isOffered[index]);
}

/** What the server has of a copy: its text, only another text of its post, or no post. */
type Found = 'stored' | 'other' | 'unknown';

async function findCopy(copy: LocalCopy, url: string): Promise<Found> {
  const found = await compare(copy, url);
  if (found === 'stored' || copy.sent.length === 0) return found;
  await new Promise((done) => setTimeout(done, ARRIVES_WITHIN_MS));
  return compare(copy, url);
}

async function compare(copy: LocalCopy, url: string): Promise<Found> {
  const page = await readEditor(url);
  if (!page) return 'unknown';
  if (isStored(copy, page.values)) return 'stored';
  const unsaved = page.post?.unsaved.find(({ isOfThisPage }) => isOfThisPage);
  const restored = unsaved && (await readEditor(`${url}${url.includes('?') ? '&' : '?'}with=${unsaved.id}`));
  return restored && isStored(copy, restored.values) ? 'stored' : 'other';
}

async function readEditor(url: string): Promise<EditorData | null> {
  const data = await fetchJson<EditorData>(url);
  return typeof data === 'string' ? null : data;
}
