import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** What an address without a scheme leads to: a file inside the folder, or why not. */
export type LocalFile = { file: string } | { file: null; problem: string };

/** Folders whose files generators serve at the root of a site. */
const staticFolders = ['static', 'public', 'source', 'assets', 'src', 'content', 'docs/public', 'docs'];

/**
 * The file that an address in a text means. One that begins with `/` counts from the folder or from the
 * folders that generators serve, any other from the text's own folder.
 * @param below the text's folder, below `root`
 * @returns null for an address elsewhere (with a scheme, `#…`) or a path that is no file of the folder
 */
export async function findLocalFile(root: string, below: string, address: string): Promise<LocalFile | null> {
  const target = withoutQuery(address);
  if (target === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target) || target.includes('\0')) return null;
  const candidates = target.startsWith('/')
    ? ['', ...staticFolders].map((folder) => path.join(root, folder, target))
    : [path.join(root, below, target)];
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => null);
    if (real === null || !(await stat(real)).isFile()) continue;
    // Refuses files outside of the folder, also through a symbolic link.
    if (!real.startsWith(`${await realpath(root)}${path.sep}`))
      return { file: null, problem: 'the file is outside of the folder.' };
    return { file: real };
  }
  return target.startsWith('/') ? null : { file: null, problem: 'there is no such file.' };
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}
