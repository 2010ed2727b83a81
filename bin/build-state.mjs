// Plain Node: what the starting scripts ask before anything is built.
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Time of the newest file in a file or folder in milliseconds, 0 where there is none. */
export function newest(entry) {
  const stat = statSync(entry, { throwIfNoEntry: false });
  if (!stat) return 0;
  // What editors or tests upload is no source.
  if (!stat.isDirectory() || entry.endsWith(path.join('public', 'uploads'))) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(entry).map((name) => newest(path.join(entry, name))));
}

/** True when the file is there and no source is newer. */
export function isFresh(root, file, sources) {
  if (!existsSync(file)) return false;
  const built = statSync(file).mtimeMs;
  return sources.every((source) => newest(path.join(root, source)) <= built);
}

/** True when the server's build is there and no source of it is newer. */
export function isBuilt(root) {
  const sources = ['app', 'bin', 'prisma/models.prisma', 'public', 'package-lock.json', 'vite.config.ts'];
  return isFresh(root, path.join(root, 'build/web-server.js'), sources);
}
