import { cp } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '#app/platform/project.server.ts';
import { tempFolder } from './temp-folder.ts';

/** A copy of what `npm run build` writes, in a place without other packages. */
export async function copyBuiltFolder(): Promise<string> {
  const folder = path.join(await tempFolder(), 'app');
  await cp(path.join(projectRoot, 'build'), folder, { recursive: true });
  return folder;
}
