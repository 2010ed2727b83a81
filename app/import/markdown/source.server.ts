import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { exportedPath, withLinksHere } from '#app/import/addresses/links-between-posts.ts';
import type { SourceTools } from '#app/import/addresses/plan.server.ts';
import { htmlToMarkdown } from '#app/import/html/to-markdown.ts';
import {
  type MarkdownSite,
  type MarkdownContext,
  languageOfFile,
} from '#app/import/markdown/dialects/site.ts';
import { picturesOf } from '#app/import/media/folder.server.ts';
import { isImageName } from '#app/import/media/library-names.ts';
import { ItemHash } from '#app/import/model/item-hash.server.ts';
import {
  type ContentSource,
  type MediaReference,
  type SourceItem,
  type UnreadableItem,
  reasonToSkip,
} from '#app/import/model/post.ts';
import { sourceZone } from '#app/import/model/date.ts';
import { endingOf, listFolder } from '#app/import/source/files.server.ts';
import { readText } from '#app/import/source/read-text.server.ts';
import { invalidInput } from '#app/platform/errors.ts';
import { coveringLanguage } from '#app/platform/text/languages.ts';
import { parseYaml } from '#app/platform/text/yaml.ts';
import { addressesOf, replaceAddresses } from '#app/posts/markdown/addresses.ts';
import {
  countsFromPage,
  type Dialect,
  type DialectName,
  dialects,
  syntaxOf,
  postEnding,
  postLink,
} from '#app/import/markdown/dialects/dialects.ts';
import {
  readEleventyData,
  readSectionDefaults,
} from '#app/import/markdown/dialects/folder-defaults.server.ts';
import { isFileTimeIn } from '#app/import/markdown/posts/state.ts';
import { transformBody } from '#app/import/markdown/syntax/transform-body.ts';
import { DatelineExport, FolderMedia } from './folder-files.server.ts';
import { recogniseSite } from './dialects/recognise-site.server.ts';
import { type LinkTarget, PostLinks, targetOf } from './post-links.server.ts';
import { type ReadMarkdownPost, readMarkdownPost } from './posts/post.ts';

const authorNames = z.record(z.string(), z.looseObject({ name: z.string() }).nullable().catch(null));

/** HTML in the folder of posts, which generators take for posts too. */
const htmlPost = /(^|\/)_posts\/.*\.html?$/i;
/** Formats of posts that cannot be read. They are skipped, not ignored, so that a blog in one of them is noticed. */
const unreadableEnding = /\.(textile|org|rst|adoc|asciidoc|rmd|ipynb)$/i;

const fileNameOf = (file: string) => path.posix.basename(file).normalize('NFC').toLowerCase();

export interface MarkdownOptions extends SourceTools {
  /** Instead of the one that is recognised. */
  dialect?: DialectName;
  /** Scheme of the old addresses, such as `/:year/:month/:day/:title`. */
  permalink?: string;
  /** The language of this site, and its other ones. */
  siteLanguage: string;
  otherLanguages: readonly string[];
}

/**
 * The posts of a folder of Markdown files, in the order of their paths; then the other files that no post names.
 * @throws AppError `invalid_input` when there is no such folder.
 */
export async function openMarkdownFolder(folder: string, options: MarkdownOptions): Promise<ContentSource> {
  const root = path.resolve(folder);
  for (const required of [folder, ...(options.mediaFolder === null ? [] : [options.mediaFolder])]) {
    const stats = await stat(required).catch(() => null);
    if (stats?.isFile()) throw invalidInput(`${required} is a file: name the folder of it.`);
    if (!stats?.isDirectory()) throw invalidInput(`There is no folder ${required}.`);
  }
  const { files, ignored } = await listFolder(root);
  const readable = files.filter((file) => postEnding.test(file) || htmlPost.test(file));
  const recognised = await recogniseSite(root, readable, (file) => readText(path.join(root, file)));
  const site = { ...recognised, dialect: options.dialect ?? recognised.dialect };
  if (site.dialect === 'eleventy') site.defaults = await readEleventyData(root, files);
  if (site.dialect === 'hugo' || site.dialect === 'zola')
    site.defaults = await readSectionDefaults(root, files, site.dialect);
  const { notPosts }: Dialect = dialects[site.dialect];
  const posts = readable.filter((file) => !notPosts?.test(file));
  const authors = await readAuthors(root, files);
  const permalink = options.permalink ?? null;
  const { timeZone, notes } = zoneOf(site, options.timeZone);
  const context = { ...options, timeZone, permalink, site, authors, folder: path.basename(root) };
  const ownExport = await DatelineExport.open(root, files);
  const run = new MarkdownFolder(root, files, { context, options, own: ownExport });
  let done = 0;
  return {
    dialect: site.dialect,
    progress: () => ({ done, total: posts.length }),
    notes: () => [...notes, ...run.notes(), ...leftOutNote(readable, posts, site.dialect)],
    async *items() {
      await run.planLinks(posts);
      for (const file of posts) {
        yield await run.read(file);
        done += 1;
      }
      const postFiles = new Set(posts);
      const realRoot = await realpath(root);
      for (const file of files.filter((candidate) => !postFiles.has(candidate))) {
        if (unreadableEnding.test(file))
          yield { key: file, reason: `Files of the format ${endingOf(file)} cannot be read.` };
        else if (!run.files.named.has(path.join(realRoot, file)) && !ownExport.read.has(file)) {
          const reason = postEnding.test(file)
            ? `It is no post in a folder of the kind ${site.dialect}.`
            : 'It is no post, and no post names it.';
          yield { key: file, ignored: { kind: endingOf(file), reason } };
        }
      }
      yield* ignored;
    },
  };
}

/** The zone of the site's times that name none, with notes about it and about those of languages. */
function zoneOf({ timeZone, languages }: MarkdownSite, ours: string): ReturnType<typeof sourceZone> {
  const main = sourceZone(timeZone, ours);
  const others = languages.flatMap((language) => sourceZone(language.timeZone, main.timeZone).notes);
  return { ...main, notes: [...new Set([...main.notes, ...others])] };
}

class MarkdownFolder {
  readonly files: FolderMedia;
  private readonly root: string;
  private readonly options: MarkdownOptions;
  private readonly context: MarkdownContext;
  private readonly ownExport: DatelineExport;
  private readonly links: PostLinks;
  private readonly byName = new Map<string, string>();
  private readonly paths: ReadonlySet<string>;
  /** The file that others translate, by the name that they share. */
  private readonly originals = new Map<string, string>();
  private readonly unlistedLanguages = new Set<string>();
  /** Options that change a post without a change at the source: a part of its hash. */
  private readonly optionsKey: string;

  constructor(
    root: string,
    files: string[],
    { context, options, own }: { context: MarkdownContext; options: MarkdownOptions; own: DatelineExport },
  ) {
    this.root = root;
    this.options = options;
    this.context = context;
    this.ownExport = own;
    this.files = new FolderMedia(root, context.site, options);
    this.optionsKey = [options.dialect, options.permalink].filter((one) => one !== undefined).join(' ');
    this.links = new PostLinks(context.site.siteUrl, {
      countsFromPage: countsFromPage.has(context.site.dialect),
    });
    this.paths = new Set(files);
    // Of several files with one name the first counts.
    for (const file of files.toReversed()) this.byName.set(fileNameOf(file), file);
  }

  /** Records the future address of each post, for links in other posts. Leaves out files that cannot be read. */
  async planLinks(files: string[]): Promise<void> {
    const targets: LinkTarget[] = [];
    for (const file of files) {
      try {
        const { post, names, sharedName, isMainLanguage, isOwnExport } = await this.parse(file);
        if (sharedName !== null && (isMainLanguage || !this.originals.has(sharedName)))
          this.originals.set(sharedName, file);
        targets.push({ file, names, ...targetOf(post), path: isOwnExport ? exportedPath(post) : null });
      } catch (error) {
        // The reason is reported when the file is read.
        reasonToSkip(error);
      }
    }
    await this.links.plan(targets, this.options.addresses);
  }

  /** Notes about the source as a whole. */
  notes(): string[] {
    if (this.unlistedLanguages.size === 0) return [];
    const tags = [...this.unlistedLanguages].sort().join(', ');
    return [
      `Posts in ${tags} are in the main list: add the language to “Other languages” in the settings of the site.`,
    ];
  }

  private addTranslation(file: string, { post, sharedName }: ReadMarkdownPost, hash: ItemHash): void {
    const original = sharedName === null ? undefined : this.originals.get(sharedName);
    if (original !== undefined && original !== file)
      post.translationOf = this.links.addressOf(original) ?? undefined;
    const { language } = post;
    if (language === undefined) return;
    if (coveringLanguage(language, this.options.otherLanguages) === null)
      this.unlistedLanguages.add(language);
    hash.update(`${language} ${post.translationOf ?? ''}`);
  }

  async read(file: string): Promise<SourceItem | UnreadableItem> {
    try {
      return await this.item(file);
    } catch (error) {
      return { key: file, reason: reasonToSkip(error) };
    }
  }

  private async item(file: string): Promise<SourceItem> {
    const { text, ...read } = await this.parse(file);
    const { post, warnings } = read;
    post.body = this.bodyOf(file, read);
    const hash = new ItemHash().update(text).update(this.optionsKey);
    if (read.isOwnExport) {
      await this.ownExport.complete(file, post, this.links);
      if (post.comments!.length > 0) hash.update(JSON.stringify(post.comments));
    }
    if (read.sharedName !== null) this.addTranslation(file, read, hash);
    const media: MediaReference[] = [];
    const place = { file, pages: read.pages };
    const pictures = picturesOf(post.body);
    for (const address of addressesOf(post.body)) {
      const isPicture = pictures.has(address) || isImageName(address);
      const local =
        (await this.files.take(place, address, hash, warnings)) ??
        (isPicture ? await this.files.takeForeign(address, hash, warnings) : null);
      if (local !== null) media.push({ address, file: local });
      else if (isPicture && /^(?:https?:)?\/\//i.test(address) && !this.options.fetcher)
        warnings.push(`${address} stays as it is: it is elsewhere on the web.`);
    }
    const cover = post.cover && this.pictureOf(post.cover, file);
    if (cover !== null) {
      const count = warnings.length;
      post.cover =
        (await this.files.take(place, cover, hash, warnings)) ??
        (await this.files.takeForeign(cover, hash, warnings));
      if (post.cover === null && warnings.length === count)
        warnings.push(`The cover ${cover} is not a file of the folder and was left out.`);
    }
    return { key: file, hash: hash.digest(), post, media, warnings };
  }

  private async parse(file: string): Promise<ReadMarkdownPost & { text: string }> {
    const filePath = path.join(this.root, file);
    const text = await readText(filePath);
    // Reads the time only if Eleventy's words ask for it: each file is read twice, and its time costs a further call.
    const changedAt = isFileTimeIn(text) ? (await stat(filePath)).mtime : undefined;
    return { ...readMarkdownPost({ path: file, text, changedAt }, this.context), text };
  }

  /** The text in Markdown, with links between posts as addresses of this site. */
  private bodyOf(file: string, { post, isOwnExport, warnings }: ReadMarkdownPost): string {
    const { site, folder } = this.context;
    if (isOwnExport) return withLinksHere(post.body, this.links, site.siteUrl);
    const language = languageOfFile(file, site.languages, folder).nameEnding;
    const postAt = (link: string) => this.links.resolve(link, file, language);
    const transformed = transformBody(post.body, syntaxOf(file, dialects[site.dialect]), {
      postAt,
      postNamed: (name) => this.links.byNameOf(name, language),
      fileNamed: (name) => this.fileNamed(name, file),
      warn: (message) => warnings.push(message),
    });
    const markdown = htmlPost.test(file) ? htmlToMarkdown(transformed).markdown : transformed;
    return replaceAddresses(markdown, (link) => {
      // `a.jpg` is the picture, also beside `a.jpg.md`.
      const address = isImageName(link) ? null : postAt(link);
      if (address === null && postLink.test(link))
        warnings.push(`The link to “${link}” leads to no post of the folder.`);
      return address;
    });
  }

  /** The address of a cover. Obsidian finds a picture in any folder by its name. */
  private pictureOf(cover: string, file: string): string {
    const isNamed = this.context.site.dialect === 'obsidian' && !/^(?:https?:)?\/\//i.test(cover);
    return (isNamed ? this.fileNamed(cover, file) : null) ?? cover;
  }

  private fileNamed(name: string, from: string): string | null {
    const namedFile = this.paths.has(name) ? name : this.byName.get(fileNameOf(name));
    if (namedFile === undefined || postEnding.test(namedFile)) return null;
    return encodeURI(path.posix.relative(path.posix.dirname(from), namedFile));
  }
}

/** A note when a dialect's rules leave out more Markdown files than they take. Files of themes do not count. */
function leftOutNote(readable: string[], posts: string[], dialect: DialectName): string[] {
  const imported = new Set(posts);
  const leftOut = readable.filter((file) => !imported.has(file) && !/(^|\/)themes\//.test(file));
  if (posts.length === 0 || leftOut.length <= posts.length) return [];
  return [
    `${leftOut.length} Markdown files were left out, since ${dialect} shows none of them as a post (the first: ${leftOut[0]!}). --report names each; --dialect markdown takes them all.`,
  ];
}

/** `authors.yml` of Docusaurus and Jekyll: key → name. A file that cannot be read is ignored. */
async function readAuthors(root: string, files: string[]): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  for (const file of files.filter((candidate) => /(^|\/)authors\.ya?ml$/i.test(candidate))) {
    try {
      const data = parseYaml(await readText(path.join(root, file)));
      for (const [key, value] of Object.entries(authorNames.parse(data)))
        if (value) authors.set(key, value.name);
    } catch {
      continue;
    }
  }
  return authors;
}
