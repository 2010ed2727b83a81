import { createHash } from 'node:crypto';
import type { MediaFolder } from './media-folder.server.ts';

/** Changes when anything changes that an item is made of: its values at the source, or a file that it names. */
export async function hashOfItem(values: unknown[], files: string[], folder: MediaFolder): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(values));
  for (const file of files) hash.update(await folder.hash(file));
  return hash.digest('hex');
}
