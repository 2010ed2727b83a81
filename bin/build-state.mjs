// Plain Node, since scripts use it before anything is built.
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Modification time in milliseconds of a file or of the newest file in a folder; 0 when there is none. */
export function newest(entry) {
  const stat = statSync(entry, { throwIfNoEntry: false });
  if (!stat) return 0;
  // Uploads are not source code.
  if (!stat.isDirectory() || entry.endsWith(path.join('public', 'uploads'))) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(entry).map((name) => newest(path.join(entry, name))));
}

/** True when the file exists and no source is newer. */
export function isFresh(root, file, sources) {
  if (!existsSync(file)) return false;
  const built = statSync(file).mtimeMs;
  return sources.every((source) => newest(path.join(root, source)) <= built);
}

/** True when the server is built and none of its sources is newer. */
export function isBuilt(root) {
  const sources = [
    'app',
    'bin',
    'build.mjs',
    'prisma/models.prisma',
    'public',
    'package-lock.json',
    'vite.config.ts',
  ];
  return isFresh(root, path.join(root, 'build/web-server.js'), sources);
}
