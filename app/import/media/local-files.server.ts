import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { decodePath } from '#app/posts/paths.ts';

/** The absolute path of a file, or the reason why the address can't be imported. */
export type LocalFile = { file: string } | { file: null; problem: string };

/** Folders whose files generators serve at the root of a site. */
const staticFolders = ['static', 'public', 'source', 'assets', 'src', 'content', 'docs/public', 'docs'];

/**
 * The file to which an address in a text leads. An address with a leading `/` is resolved from `root` and from the folders
 * that generators serve at the root of a site, any other from the text's own folder.
 * @param root the imported folder, absolute
 * @param below the text's folder, relative to `root`
 * @returns null for an address outside the folder (with a scheme, `#…`), and for a path with a leading `/` without a file
 */
export async function findLocalFile(root: string, below: string, address: string): Promise<LocalFile | null> {
  const target = withoutQuery(address);
  if (target === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target) || target.includes('\0')) return null;
  const folders = target.startsWith('/') ? ['', ...staticFolders] : [below];
  const candidates = spellingsOf(target).flatMap((name) =>
    folders.map((folder) => path.join(root, folder, name)),
  );
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => null);
    if (real === null || !(await stat(real)).isFile()) continue;
    // A `..` or a symbolic link must not import files from outside the folder.
    if (!real.startsWith(`${await realpath(root)}${path.sep}`))
      return { file: null, problem: 'the file is outside of the folder.' };
    if (!(await canOpen(real))) return { file: null, problem: 'the file cannot be opened.' };
    return { file: real };
  }
  return target.startsWith('/') ? null : { file: null, problem: 'there is no such file.' };
}

function canOpen(file: string): Promise<boolean> {
  return open(file).then(
    (handle) => handle.close().then(() => true),
    () => false,
  );
}

/**
 * The names that a file may have on the disk: signs such as `+` and `#` may still be encoded in the address, and macOS
 * writes accents as characters of their own.
 */
function spellingsOf(target: string): string[] {
  const decoded = decodePath(target) ?? target.normalize('NFC');
  return [...new Set([target, decoded, decoded.normalize('NFD')])];
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}
