import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { pathsHere } from '#app/import/addresses/links-between-posts.ts';
import { countsFromPage } from '#app/import/markdown/dialects/dialects.ts';
import type { MarkdownSite } from '#app/import/markdown/dialects/site.ts';
import type { MediaFetcher } from '#app/import/media/fetch.server.ts';
import { findLocalFile, type LocalFile } from '#app/import/media/folder.server.ts';
import { isImageName, isLibraryFile, isLibraryName } from '#app/import/media/library-names.ts';
import type { ItemHash } from '#app/import/model/item-hash.server.ts';
import type { SourceComment, SourcePost } from '#app/import/model/post.ts';
import { readText } from '#app/import/source/read-text.server.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import type { PostLinks } from './post-links.server.ts';

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

const described = z.array(z.object({ slug: z.string(), description: z.string() }));
const terms = z.object({ categories: described.default([]), tags: described.default([]) });
const people = z.array(z.object({ name: z.string(), username: z.string(), bio: z.string() }));
const comments = z.array(
  z.object({
    parent: z.number().nullable(),
    name: z.string(),
    text: z.string(),
    writtenAt: z.iso.datetime().transform((value) => new Date(value)),
  }),
);

const aboutFolders = ['', 'data/', '_data/'];

/** The files of an export of Dateline besides the posts: comments, descriptions of terms, people. */
export class DatelineExport {
  /** Files of the folder that were read. */
  readonly read = new Set<string>();
  private readonly root: string;
  private readonly files: ReadonlySet<string>;
  private readonly descriptions = { category: new Map<string, string>(), tag: new Map<string, string>() };
  private readonly people = new Map<string, z.output<typeof people>[number]>();

  static async open(root: string, files: string[]): Promise<DatelineExport> {
    const ownExport = new DatelineExport(root, new Set(files));
    for (const folder of aboutFolders) {
      const exportedTerms = await ownExport.json(`${folder}terms.json`, terms);
      for (const { slug, description } of exportedTerms?.categories ?? [])
        ownExport.descriptions.category.set(slug, description);
      for (const { slug, description } of exportedTerms?.tags ?? [])
        ownExport.descriptions.tag.set(slug, description);
      for (const person of (await ownExport.json(`${folder}authors.json`, people)) ?? [])
        ownExport.people.set(person.username, person);
    }
    return ownExport;
  }

  private constructor(root: string, files: ReadonlySet<string>) {
    this.root = root;
    this.files = files;
  }

  /** Adds to a post what these files contain about it, and the paths that the posts it names get on this site. */
  async complete(file: string, post: SourcePost, links: PostLinks): Promise<void> {
    Object.assign(post, pathsHere(post, links));
    const { category, tags, author } = post;
    const describe = (kind: 'category' | 'tag', term: SourcePost['tags'][number]) => {
      term.description = this.descriptions[kind].get(toSlug(term.slug || term.name)) ?? '';
    };
    if (category) describe('category', category);
    for (const tag of tags) describe('tag', tag);
    if (author) author.bio = this.people.get(author.username || toSlug(author.name))?.bio ?? '';
    post.accounts = (post.authors ?? []).flatMap((username) => this.people.get(username) ?? []);
    post.comments = await this.commentsOf(file);
  }

  private async commentsOf(file: string): Promise<SourceComment[]> {
    const name = path.posix.basename(file, '.md');
    const page = /^(?:content\/|_)pages\/(.+)\.md$/.exec(file)?.[1];
    const candidates = [
      file.replace(/\.md$/, '.comments.json'),
      `data/comments/${page === undefined ? name : `pages/${page}`}.json`,
      `_data/comments/${page === undefined ? name.replace(/^\d{4}-\d{2}-\d{2}-/, '') : `pages/${page}`}.json`,
    ];
    for (const candidate of candidates) {
      const exportedComments = await this.json(candidate, comments);
      if (exportedComments) return exportedComments;
    }
    return [];
  }

  /** Null for a missing file, and for one with other content. */
  private async json<Schema extends z.ZodType>(
    file: string,
    schema: Schema,
  ): Promise<z.output<Schema> | null> {
    if (!this.files.has(file)) return null;
    try {
      const parsed = schema.safeParse(JSON.parse(await readText(path.join(this.root, file))));
      if (!parsed.success) return null;
      this.read.add(file);
      return parsed.data;
    } catch {
      return null;
    }
  }
}
