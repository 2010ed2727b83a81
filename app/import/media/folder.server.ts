import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { MediaReference } from '#app/import/model/post.ts';
import { invalidInput } from '#app/platform/errors.ts';
import { sha256OfFile } from '#app/platform/files/sha256.server.ts';
import { decodedOrSame, withoutQuery, hostOf } from '#app/platform/http/paths.ts';
import { addressesOf, decodeDestination } from '#app/posts/markdown/addresses.ts';
import { decodePath } from '#app/posts/paths.ts';
import type { MediaFetcher } from './fetch.server.ts';
import { isImageName, isLibraryFile, isLibraryName } from './library-names.ts';

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

// The folders in which blogs keep their uploads. The rest of an address is the path in the folder.
const uploads = /\/(?:wp-content\/uploads|content\/(?:images|media|files)|uploads|files)\/(.+)$/;
/** The parts that distinguish the path of a smaller copy: WordPress adds them at the end, Ghost before the path. */
const sizes = /-(?:\d+x\d+|scaled)(?=\.\w+$)|(?:^|(?<=\/))(?:size\/w\d+(?:h\d+)?|format\/\w+)\//g;

/** Stands for a site whose address is unknown: only addresses without a host are its own. */
const NO_SITE = 'http://site.invalid';

/** The folder of uploads for an export (`--media`): finds the files that the posts name. */
export class MediaFolder {
  private readonly root: string | null;
  private readonly siteUrl: string;
  private readonly ownHosts = new Set<string>();
  private readonly fetcher: MediaFetcher | null;
  private readonly hashes = new Map<string, string>();
  private readonly fetchedFiles = new Set<string>();

  /**
   * @param folder null: nothing is found
   * @param siteUrl the old site: its addresses may name any file of the folder
   * @param fetcher downloads pictures that are not in the folder; null: texts keep linking to them
   * @throws AppError `invalid_input` when there is no such folder.
   */
  static async open(
    folder: string | null,
    siteUrl: string,
    fetcher: MediaFetcher | null = null,
  ): Promise<MediaFolder> {
    if (folder !== null && !(await stat(folder).catch(() => null))?.isDirectory())
      throw invalidInput(`There is no folder ${folder}.`);
    return new MediaFolder(folder === null ? null : path.resolve(folder), siteUrl, fetcher);
  }

  private constructor(root: string | null, siteUrl: string, fetcher: MediaFetcher | null) {
    this.fetcher = fetcher;
    this.root = root;
    this.siteUrl = URL.canParse(siteUrl) ? siteUrl : NO_SITE;
    this.addOwnHost(this.siteUrl);
  }

  /** Adds the host of an address: its addresses may name any file of the folder too. */
  addOwnHost(address: string): void {
    if (URL.canParse(address)) this.ownHosts.add(hostOf(new URL(address)));
  }

  /** The file that an address means; null without one. */
  async find(address: string): Promise<string | null> {
    if (this.root === null) return null;
    for (const candidate of this.pathsOf(address)) {
      const localFile = await findLocalFile(this.root, '', candidate);
      if (localFile?.file && isLibraryFile(localFile.file)) return localFile.file;
    }
    return null;
  }

  /** The files that a text names, and warnings for pictures whose addresses stay. */
  async findAll(markdown: string): Promise<{ media: MediaReference[]; warnings: string[] }> {
    const media: MediaReference[] = [];
    const warnings: string[] = [];
    const pictures = picturesOf(markdown);
    for (const address of addressesOf(markdown)) {
      const count = warnings.length;
      const isPicture = pictures.has(address) || isImageName(address);
      const file = isPicture ? await this.findPicture(address, warnings) : await this.find(address);
      if (file !== null) media.push({ address, file });
      else if (warnings.length > count) continue;
      else if (pictures.has(address) || isLibraryName(address) || this.isUpload(address))
        warnings.push(
          `${address} stays as it is${this.root === null ? '' : ': it is not in the media folder'}.`,
        );
    }
    return { media, warnings };
  }

  /** The file of a picture: from the folder, else fetched; null, with a warning if the fetch fails. */
  async findPicture(address: string, warnings: string[]): Promise<string | null> {
    const file = await this.find(address);
    const url = this.asUrl(address);
    if (file !== null || this.fetcher === null || url === null || url.origin === NO_SITE) return file;
    let problem = '';
    for (const candidate of urlsOf(url)) {
      const fetched = await this.fetcher.fetch(candidate);
      if ('file' in fetched) {
        this.fetchedFiles.add(fetched.file);
        return fetched.file;
      }
      ({ problem } = fetched);
      if (fetched.isSilent) break;
    }
    warnings.push(`${address} was not fetched: ${problem}.`);
    return null;
  }

  isFetched(file: string): boolean {
    return this.fetchedFiles.has(file);
  }

  /** A hash of a file's content, computed once. */
  async hash(file: string): Promise<string> {
    const cached = this.hashes.get(file);
    if (cached !== undefined) return cached;
    const hash = await sha256OfFile(file);
    this.hashes.set(file, hash);
    return hash;
  }

  /** Paths below the folder that an address may mean, the likeliest first. */
  private pathsOf(address: string): string[] {
    const url = this.asUrl(address);
    if (!url) return [];
    const below = uploads.exec(url.pathname)?.[1];
    const segments = url.pathname.split('/').filter((segment) => segment !== '');
    // Another site's address counts only if it names an uploads folder: a copy on a CDN.
    const subpaths = this.isOwn(url) ? segments.map((_, index) => segments.slice(index).join('/')) : [];
    const paths = [...(below === undefined ? [] : [below]), ...subpaths].map(decodedOrSame);
    return [...new Set(paths.flatMap(withLargerFirst))];
  }

  private isUpload(address: string): boolean {
    const url = this.asUrl(address);
    return (
      url !== null &&
      this.isOwn(url) &&
      /\/(wp-content\/uploads|content\/(images|media|files))\//.test(url.pathname)
    );
  }

  private isOwn({ host, pathname }: URL): boolean {
    // WordPress.com's servers of smaller copies name the picture's own host first.
    const named = /^i\d\.wp\.com$/.test(host) ? pathname.split('/')[1]! : host;
    return this.ownHosts.has(hostOf({ host: named }));
  }

  private asUrl(address: string): URL | null {
    if (!URL.canParse(address, this.siteUrl)) return null;
    const url = new URL(address, this.siteUrl);
    return /^https?:$/.test(url.protocol) ? url : null;
  }
}

/**
 * Puts the full-size picture before its smaller copies, since this site makes its own. When WordPress scaled a picture
 * down at its upload, the full size is `-scaled`.
 */
function withLargerFirst(path: string): string[] {
  const whole = path.replace(sizes, '');
  if (whole === path || /-scaled(?=\.\w+$)/.test(path)) return [path, whole];
  return [whole.replace(/(?=\.\w+$)/, '-scaled'), whole, path];
}

/** The addresses at which a picture is fetched: an upload of the old site in full size first. */
function urlsOf(url: URL): string[] {
  // Servers of WordPress.com make smaller copies as a query asks.
  const isResized = /\.(?:wp\.com|files\.wordpress\.com)$/.test(url.host);
  const whole = new URL(url);
  if (isResized) for (const name of ['w', 'h', 'resize', 'fit', 'crop']) whole.searchParams.delete(name);
  const isUpload = isResized || uploads.test(url.pathname);
  const paths = isUpload ? withLargerFirst(whole.pathname) : [];
  return [...new Set([...paths.map((path) => new URL(path + whole.search, url).href), url.href])];
}

/** The addresses of the pictures of a text. */
export function picturesOf(markdown: string): Set<string> {
  return new Set(
    [...markdown.matchAll(/!\[[^\]]{0,1000}\]\(<?([^\s)>]+)/g)].map((match) => decodeDestination(match[1]!)),
  );
}
