import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Packages that only an installation needs, to download or to compile. */
const installOnly = new Set(['prebuild-install', 'node-addon-api']);

/** Folders of packages that only a compiler or a reader uses. */
const unusedFolders = new Set([
  'deps',
  'src',
  'docs',
  'examples',
  'test',
  'obj',
  'obj.target',
  '.deps',
  '.github',
]);

/** Copies installed packages and their dependencies into `out/node_modules`, without their sources. */
export function copyPackages(names, root, out) {
  const done = new Set();
  const copy = (name) => {
    const folder = path.join(root, 'node_modules', name);
    // A dependency that is not installed is an optional build for another platform.
    if (done.has(name) || installOnly.has(name) || !existsSync(folder)) return;
    done.add(name);
    cpSync(folder, path.join(out, 'node_modules', name), {
      recursive: true,
      dereference: true,
      filter: (source) => isUsed(path.relative(folder, source)),
    });
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    );
    Object.keys({ ...dependencies, ...optionalDependencies }).forEach(copy);
  };
  names.forEach(copy);
}

function isUsed(file) {
  const [first, second] = file.split(path.sep);
  if (first === 'prebuilds' && second) return second === `${process.platform}-${process.arch}`;
  if (/\.(md|gyp|gypi|mk|a|o|map|h|d\.[cm]?ts)$|[Mm]akefile$|Dockerfile/.test(file)) return false;
  return !file.split(path.sep).some((folder) => unusedFolders.has(folder));
}
