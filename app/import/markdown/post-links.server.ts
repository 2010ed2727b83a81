import path from 'node:path';
import { oldAddress } from '#app/import/addresses/old-address.ts';
import type { AddressPlanner } from '#app/import/addresses/plan.server.ts';
import { dayInName } from '#app/import/model/date.ts';
import type { SourcePost } from '#app/import/model/post.ts';
import { postEnding } from '#app/import/markdown/dialects/dialects.ts';

/** A post as links in other posts may name it. */
export interface LinkTarget {
  /** The file, below the folder, with `/`. */
  file: string;
  slug: string;
  isPage: boolean;
  /** The exported path of the page above; blank: none. */
  parent: string;
  /** The exported path; null for a post that Dateline did not export. */
  path: string | null;
  title: string;
  /** Other names by which a wiki link may refer to it. */
  names: string[];
  /** Old addresses as they were written: paths or absolute addresses. */
  oldAddresses: string[];
}

/** What a target takes from its post. Without the text: all targets of a folder are in memory. */
export function targetOf({ slug, type, parent = '', title, aliases: oldAddresses }: SourcePost) {
  return { slug, isPage: type === 'page', parent, title, oldAddresses };
}

/**
 * Finds the post that a link means, in the ways in which generators write links between posts. Compares names in NFC:
 * macOS may have written those of files in NFD.
 */
export class PostLinks {
  private readonly byPath = new Map<string, string>();
  private readonly byAddress = new Map<string, string>();
  private readonly byExportedPath = new Map<string, string>();
  private readonly byName = new Map<string, string>();
  /** Old addresses of the post in a file. */
  private readonly byFile = new Map<string, string[]>();
  private readonly siteUrl: string;

  private readonly countsFromPage: boolean;

  /**
   * @param siteUrl of the old site: its addresses are links between posts too
   * @param options.countsFromPage true if the generator leaves relative links to the browser
   */
  constructor(siteUrl: string, { countsFromPage }: { countsFromPage: boolean }) {
    this.siteUrl = siteUrl;
    this.countsFromPage = countsFromPage;
  }

  /** Adds the posts of a folder, in the order of the import. */
  async plan(targets: LinkTarget[], plan: AddressPlanner): Promise<void> {
    const files = new Map(targets.map(({ path, file }) => [path, file]));
    const addresses = await plan(
      targets.map(({ file, slug, isPage, parent }) =>
        isPage
          ? { key: file, slug, above: `${parent}/`, parent: files.get(parent) }
          : { key: file, slug, above: '/posts/' },
      ),
    );
    for (const [index, target] of targets.entries()) this.add(target, addresses[index]!);
  }

  private add(target: LinkTarget, address: string): void {
    const { file: written, path: exportedPath, title, names, oldAddresses } = target;
    if (exportedPath !== null) this.byExportedPath.set(exportedPath, address);
    const file = written.normalize('NFC');
    const filePath = withoutEnding(file);
    this.byPath.set(file, address);
    for (const alias of [filePath, filePath.replace(/\/_?index$/i, '')]) setOnce(this.byPath, alias, address);
    const old = oldAddresses.flatMap((oldOne) => oldAddress(oldOne) ?? []);
    for (const oldOne of old) setOnce(this.byAddress, oldOne, address);
    this.byFile.set(file, old);
    const base = path.posix.basename(filePath.replace(/\/_?index$/i, ''));
    for (const linkName of [filePath, base, datedName(base), dayInName(base).rest, title, ...names])
      setOnce(this.byName, linkName.normalize('NFC').toLowerCase(), address);
  }

  /**
   * The post's address here for a link in a file, with its `#fragment`; null for a link to anything else.
   * @param language of the file if its name has one (`second.de.md`): the link then prefers posts in that language
   */
  resolve(link: string, from: string, language = ''): string | null {
    const [, target = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(link) ?? [];
    const fragment = rest.includes('#') ? rest.slice(rest.indexOf('#')) : '';
    const address = this.find(target.normalize('NFC'), from.normalize('NFC'), language);
    return address === undefined ? null : address + fragment;
  }

  /** The address here of the post of a file. */
  addressOf(file: string): string | null {
    return this.byPath.get(file.normalize('NFC')) ?? null;
  }

  /** The address here of the post with a path in an export of Dateline. */
  readonly addressAt = (path: string): string | null => this.byExportedPath.get(path) ?? null;

  /** The post's address here for the name of a file or a title, as wiki links and `post_url` give it. */
  byNameOf(name: string, language = ''): string | null {
    const written = name.trim().normalize('NFC').toLowerCase();
    const withoutExtension = withoutEnding(written);
    const inLanguage = language === '' ? undefined : this.byName.get(`${withoutExtension}.${language}`);
    const spellings = [written, withoutExtension, datedName(withoutExtension)];
    return inLanguage ?? spellings.map((one) => this.byName.get(one)).find(Boolean) ?? null;
  }

  private find(target: string, from: string, language: string): string | undefined {
    if (target === '') return undefined;
    if (target.startsWith('@/')) return this.ending(target.slice(2));
    const local =
      this.siteUrl !== '' && target.startsWith(`${this.siteUrl}/`)
        ? target.slice(this.siteUrl.length)
        : target;
    if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(local)) return undefined;
    if (local.startsWith('/')) {
      const old = oldAddress(local);
      return (
        (old === null
          ? undefined
          : (this.byAddress.get(old) ?? this.byAddress.get(old.replace(/\/index\.html?$/i, '')))) ??
        this.byPath.get(local.slice(1).replace(/\/$/, ''))
      );
    }
    const besidePage =
      this.countsFromPage && !postEnding.test(local) ? this.besideOf(from, local) : undefined;
    if (besidePage !== undefined) return besidePage;
    const joined = path.posix.join(path.posix.dirname(from), local).replace(/\/$/, '');
    const filePath = withoutEnding(joined);
    const inLanguage =
      language === ''
        ? undefined
        : (this.byPath.get(`${filePath}.${language}`) ?? this.byPath.get(`${filePath}/index.${language}`));
    return inLanguage ?? this.byPath.get(joined) ?? this.byPath.get(filePath) ?? this.besideOf(from, local);
  }

  /** The post at an address that is relative to an old address of the file's own post, as browsers resolved it. */
  private besideOf(from: string, local: string): string | undefined {
    // Generators serve `a/b.md` at `/a/b/`.
    for (const old of [withoutEnding(from), ...(this.byFile.get(from) ?? [])]) {
      const folder = /\.html?$/i.test(old) ? path.posix.dirname(old) : old.replace(/\/_?index$/i, '');
      const beside = path.posix.join('/', folder, local).replace(/\/$/, '');
      const address = this.byAddress.get(beside) ?? this.byPath.get(beside.slice(1));
      if (address !== undefined) return address;
    }
    return undefined;
  }

  /** A path below the content folder, which may itself be in a folder. */
  private ending(target: string): string | undefined {
    const exact = this.byPath.get(target) ?? this.byPath.get(`content/${target}`);
    if (exact !== undefined) return exact;
    return [...this.byPath].find(([file]) => file.endsWith(`/${target}`))?.[1];
  }
}

/** A name in which the day has all its zeros: Jekyll takes `2021-9-1-x` and `2021-09-01-x` for the same post. */
function datedName(name: string): string {
  const { day, rest } = dayInName(name);
  return day === null || rest === name ? name : `${day}-${rest}`;
}

function withoutEnding(file: string): string {
  return file.replace(postEnding, '').replace(/\.html?$/i, '');
}

function setOnce(map: Map<string, string>, key: string, value: string): void {
  if (!map.has(key)) map.set(key, value);
}
