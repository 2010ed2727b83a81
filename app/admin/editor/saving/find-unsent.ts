import type { EditorData } from '../editor-data.server.ts';
import { sameContent } from './form-fields.ts';
import { digestOf, dropCopy, type LocalCopy } from './local-copy.ts';
import { fetchJson } from './requests.ts';

interface Kept {
  key: string;
  copy: LocalCopy;
}

/** The time in which the last save of a page arrives after the browser has left the page. */
const ARRIVES_WITHIN_MS = 2_000;

/**
 * The copies on this device whose posts the server does not have. Deletes a copy that equals the server's post. A newer
 * copy stays: the editor of its post restores it.
 * @param urlOf the address of a post's editor
 */
export async function findUnsent(kept: Kept[], urlOf: (postId: string) => string): Promise<Kept[]> {
  const unsent = await Promise.all(
    kept.map(async (entry) => ((await isUnsent(entry, urlOf)) ? entry : null)),
  );
  return unsent.filter((entry) => entry !== null);
}

async function isUnsent({ key, copy }: Kept, urlOf: (postId: string) => string): Promise<boolean> {
  const url = urlOf(copy.postId);
  let stored = await fetchJson<EditorData>(url);
  if (stored === 'gone' && copy.sent.length > 0) {
    await new Promise((done) => setTimeout(done, ARRIVES_WITHIN_MS));
    stored = await fetchJson<EditorData>(url);
  }
  if (stored === null || typeof stored === 'string') return true;
  const { values } = stored;
  // The server fills in blank fields such as the slug.
  const typed = Object.fromEntries(Object.entries(copy.fields).filter(([, value]) => value !== ''));
  if (digestOf(copy.fields) === digestOf(values) && sameContent({ ...values, ...typed }, values))
    dropCopy(key);
  return false;
}
