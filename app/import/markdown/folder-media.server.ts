import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { MarkdownSite } from '#app/import/markdown/dialects/site.ts';
import type { MediaFetcher } from '#app/import/media/fetch.server.ts';
import { isImageName, isLibraryFile, isLibraryName } from '#app/import/media/library-names.ts';
import { findLocalFile, type LocalFile } from '#app/import/media/local-files.server.ts';
import type { ItemHash } from '#app/import/model/item-hash.server.ts';
import { countsFromPage } from './dialects/dialects.ts';

/** Finds the files that the posts of a folder name: beside them, in the folders that generators serve, elsewhere on the web. */
export class FolderMedia {
  /** Absolute paths of the files that posts name. */
  readonly named = new Set<string>();
  private readonly root: string;
  private readonly site: MarkdownSite;
  private readonly mediaFolder: string | null;
  private readonly fetcher: MediaFetcher | null;

  /**
   * @param mediaFolder a further folder with media, absolute; null for none
   * @param fetcher downloads pictures from other sites; with null, texts keep linking to them
   */
  constructor(
    root: string,
    site: MarkdownSite,
    { mediaFolder, fetcher }: { mediaFolder: string | null; fetcher: MediaFetcher | null },
  ) {
    this.root = root;
    this.site = site;
    this.mediaFolder = mediaFolder;
    this.fetcher = fetcher;
  }

  /**
   * The absolute path of the file that an address in a post names, added to the post's hash. Null when it names no
   * file, with a warning when the file is missing or of a kind that is not imported.
   * @param post the post's file, relative to the folder, and its addresses at the old site
   */
  async take(
    post: { file: string; pages: readonly string[] },
    address: string,
    hash: ItemHash,
    warnings: string[],
  ): Promise<string | null> {
    const localFile = await this.findFor(post, address);
    if (localFile === null) return null;
    const problem = problemOf(localFile);
    if (problem === null) {
      await hash.addLocalFile(localFile.file!);
      this.named.add(localFile.file!);
      return localFile.file;
    }
    // A link to no file may lead to a page of the site, so only a missing picture, sound, film or PDF is reported.
    if (localFile.file !== null || isLibraryName(address)) warnings.push(`${address}: ${problem}`);
    return null;
  }

  /** Like `take`, for a picture at another site: takes its copy in the media folder, or downloads it. */
  async takeForeign(address: string, hash: ItemHash, warnings: string[]): Promise<string | null> {
    const full = address.startsWith('//') ? `https:${address}` : address;
    if (!/^https?:\/\//i.test(full) || !URL.canParse(full)) return null;
    const { href, pathname } = new URL(full);
    const copy = this.mediaFolder === null ? null : await findLocalFile(this.mediaFolder, '', pathname);
    if (copy?.file != null && isLibraryFile(copy.file)) {
      await hash.addLocalFile(copy.file);
      return copy.file;
    }
    const fetched = await this.fetcher?.fetch(href);
    if (fetched && 'file' in fetched) {
      hash.addFile(await readFile(fetched.file), { isFetched: true });
      return fetched.file;
    }
    if (fetched) warnings.push(`${address} was not fetched: ${fetched.problem}.`);
    return null;
  }

  /** A relative address counts from the post's page in some generators, and from its file in others. */
  private async findFor(
    { file, pages }: { file: string; pages: readonly string[] },
    address: string,
  ): Promise<LocalFile | null> {
    const isRelative = !/^(?:[a-z][a-z0-9+.-]*:|[/?#])/i.test(address);
    const { dialect } = this.site;
    // The files in the folder of an `index.md` are served beside its page.
    const isBundle = dialect === 'hugo' && /(?:^|\/)index(?:\.[\w-]+)?\.\w+$/i.test(file);
    const isFirst = isRelative && countsFromPage.has(dialect) && !isBundle;
    const ofPage = isFirst ? await this.findBesidePage(pages, file, address) : null;
    if (ofPage !== null) return ofPage;
    const found = await this.find(file, address);
    if (!isRelative || isFirst || found?.file != null) return found;
    return (await this.findBesidePage(pages, file, address)) ?? found;
  }

  private async findBesidePage(
    pages: readonly string[],
    file: string,
    address: string,
  ): Promise<LocalFile | null> {
    for (const page of pages) {
      // Jekyll writes `/a/b.html`, and its server finds that as `/a/b` too.
      const isFile = /\.\w+$/.test(page) || (this.site.dialect === 'jekyll' && !page.endsWith('/'));
      const found = await this.find(
        file,
        path.posix.join('/', isFile ? path.posix.dirname(page) : page, address),
      );
      if (found?.file != null) return found;
    }
    return null;
  }

  private async find(file: string, address: string): Promise<LocalFile | null> {
    const { siteUrl, basePath } = this.site;
    const local =
      siteUrl !== '' && address.startsWith(`${siteUrl}/`) ? address.slice(siteUrl.length) : address;
    const besidePost = await findLocalFile(this.root, path.posix.dirname(file), local);
    if (besidePost?.file != null) return besidePost;
    if (!local.startsWith('/')) {
      // Hexo keeps a post's pictures in a folder of the post's name.
      const inPostFolder = await findLocalFile(this.root, file.replace(/\.\w+$/, ''), local);
      return inPostFolder?.file != null ? inPostFolder : besidePost;
    }
    const below = basePath !== '' && local.startsWith(`${basePath}/`) ? local.slice(basePath.length) : local;
    const folders = [this.mediaFolder, below === local ? null : this.root].filter(
      (candidate) => candidate !== null,
    );
    for (const folder of folders) {
      const inFolder = await findLocalFile(folder, '', below);
      if (inFolder?.file != null) return inFolder;
    }
    return isImageName(local) && !local.startsWith('/uploads/') && !local.startsWith('//')
      ? { file: null, problem: 'there is no such file.' }
      : besidePost;
  }
}

function problemOf(localFile: LocalFile): string | null {
  if (localFile.file === null) return localFile.problem;
  return isLibraryFile(localFile.file)
    ? null
    : 'only pictures, sounds, films and PDF files come along; the link stays as it is.';
}
