import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Folders whose files have their content's hash in the name. */
const folders = ['chunks', 'client/assets'];
const LIST = 'carried-over.json';

/**
 * Adds the hashed files of the build that is replaced to the one that replaces it: processes that still run the old code
 * load its parts when they first need them, and pages in browsers and proxies name its styles. Files that the old build
 * has itself only carried over are left out, so that a build has those of one former version.
 */
export function carryOver(old, next) {
  const list = path.join(old, LIST);
  const carriedBefore = new Set(existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []);
  const carried = [];
  for (const folder of folders) {
    if (!existsSync(path.join(old, folder))) continue;
    mkdirSync(path.join(next, folder), { recursive: true });
    for (const name of readdirSync(path.join(old, folder))) {
      const file = path.join(folder, name);
      if (carriedBefore.has(file) || existsSync(path.join(next, file))) continue;
      linkSync(path.join(old, file), path.join(next, file));
      carried.push(file);
    }
  }
  writeFileSync(path.join(next, LIST), JSON.stringify(carried));
}
