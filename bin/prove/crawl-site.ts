import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { MediaEntry } from '#app/backup/format/manifest.ts';
import { messageOf } from '#app/platform/errors.ts';
import { decodedOrSame } from '#app/platform/http/paths.ts';
import { inParallel } from '#app/platform/jobs/concurrency.ts';
import { encodePath } from '#app/posts/paths.ts';
import type { Ask } from './ask.ts';
import type { Expected } from './check-restored-rows.ts';
import { decodeEntities, xmlTexts } from './markup-texts.ts';
import type { ProblemList } from './problem-list.ts';

/** Requests at the same time. More would not be faster, since the server and the crawler share a process. */
const AT_ONCE = 4;
const ANSWER_MS = 30_000;
/** More addresses than a site of a million posts has. */
const PAGES_MAX = 3_000_000;
const feedPaths = ['/rss.xml', '/atom.xml', '/feed.json'];

interface CrawlInput {
  /** Asks the site's server. */
  ask: Ask;
  /** The beginning of the site's absolute addresses. */
  siteUrl: string;
  expected: Expected;
  media: readonly MediaEntry[];
  problems: ProblemList;
  onProgress: (progress: { step: string; done: number; total: number }) => void;
  /** Receives broken links of texts. They are no fault of the backup: the links were broken before it. */
  onWarning: (warning: string) => void;
}

/** An address to read. */
interface Target {
  path: string;
  /** The page that links to the address; undefined for an address from the sitemap or the database. */
  linkedFrom?: string;
}

interface Crawled {
  pages: number;
  feeds: number;
  mediaFiles: number;
}

/** Reads every public page that the sitemap or a link names, every feed and every media file. */
export async function crawlSite(input: CrawlInput): Promise<Crawled> {
  const crawler = new Crawler(input);
  await crawler.readSitemap('/sitemap.xml');
  crawler.requireInSitemap();
  await crawler.readPages();
  await crawler.readFeeds();
  await crawler.readMedia();
  return crawler.crawled;
}

class Crawler {
  readonly crawled: Crawled = { pages: 0, feeds: 0, mediaFiles: 0 };
  private readonly input: CrawlInput;
  private readonly media: Map<string, MediaEntry>;
  private readonly seen = new Set<string>(['/']);
  private readonly listed = new Set<string>();
  private readonly feeds = new Set<string>(feedPaths);
  private waiting: Target[] = [{ path: '/' }];

  constructor(input: CrawlInput) {
    this.input = input;
    this.media = new Map(input.media.map((entry) => [`/uploads/${entry.path}`, entry]));
  }

  async readSitemap(path: string): Promise<void> {
    const text = await this.readText(path);
    if (text === null) return;
    const addresses = xmlTexts(text, 'loc');
    for (const address of addresses) {
      const target = this.pathOf(address);
      if (target === null) this.problem(`${path} names ${address}, which is not of this site.`);
      else if (/^\/sitemaps\//.test(target)) await this.readSitemap(target);
      else {
        this.listed.add(target);
        this.enqueue(target);
      }
    }
  }

  /** Every published post must have its address in the sitemap. */
  requireInSitemap(): void {
    for (const path of this.input.expected.titles.keys())
      if (!this.listed.has(encodePath(path)) && !this.listed.has(path)) {
        this.problem(`/sitemap.xml does not name ${path}.`);
        this.enqueue(encodePath(path));
      }
  }

  async readPages(): Promise<void> {
    let done = 0;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      await inParallel(batch, AT_ONCE, async (target) => {
        await this.readPage(target);
        this.input.onProgress({ step: 'Reading pages', done: (done += 1), total: this.seen.size });
      });
    }
  }

  async readFeeds(): Promise<void> {
    for (const path of this.feeds) {
      const text = await this.readText(path);
      if (text === null) continue;
      try {
        if (path.endsWith('.json')) JSON.parse(text);
        else xmlTexts(text, 'title');
        this.crawled.feeds += 1;
      } catch (error) {
        this.problem(`${path} cannot be read as a feed: ${messageOf(error)}`);
      }
    }
  }

  async readMedia(): Promise<void> {
    let done = 0;
    await inParallel(this.input.media, AT_ONCE, async ({ path, sha256 }) => {
      const address = encodePath(`/uploads/${path}`);
      const answer = await this.get(address);
      if (answer?.status === 200) {
        const hash = createHash('sha256');
        for await (const chunk of Readable.fromWeb(answer.body as ReadableStream))
          hash.update(chunk as Uint8Array);
        if (hash.digest('hex') === sha256) this.crawled.mediaFiles += 1;
        else this.problem(`${address} is not the file that manifest.json names.`);
      } else {
        await answer?.arrayBuffer();
        if (answer) this.problem(`${address} answers ${answer.status}.`);
      }
      this.input.onProgress({ step: 'Reading media', done: (done += 1), total: this.input.media.length });
    });
  }

  private async readPage({ path, linkedFrom }: Target): Promise<void> {
    const answer = await this.get(path);
    if (!answer) return;
    const html = await answer.text();
    if (answer.status >= 300 && answer.status < 400) {
      this.follow(path, answer.headers.get('location') ?? '');
      return;
    }
    if (linkedFrom !== undefined && (answer.status === 404 || answer.status === 410))
      return this.input.onWarning(`${linkedFrom} links to ${path}, which answers ${answer.status}.`);
    if (answer.status !== 200) return this.problem(`${path} answers ${answer.status}.`);
    if (!(answer.headers.get('content-type') ?? '').includes('text/html')) return;
    this.crawled.pages += 1;
    const title = this.input.expected.titles.get(decodeURI(path)) ?? this.input.expected.titles.get(path);
    if (title !== undefined && !decodeEntities(html).includes(title.trim()))
      this.problem(`${path} does not show its title “${title}”.`);
    for (const [, attribute, value] of html.matchAll(/\s(href|src|poster|srcset)="([^"]*)"/g)) {
      const addresses =
        attribute === 'srcset' ? value!.split(',').map((part) => part.trim().split(' ')[0]!) : [value!];
      for (const address of addresses) this.follow(path, decodeEntities(address));
    }
  }

  private follow(from: string, address: string): void {
    const target = this.pathOf(address, from);
    if (target === null) return;
    const [pathname] = target.split('?') as [string];
    if (pathname.startsWith('/uploads/')) {
      if (!this.media.has(decodedOrSame(pathname)))
        this.problem(`${from} shows ${pathname}, which is not in the backup.`);
    } else if (/\.(xml|json)$/.test(pathname)) this.feeds.add(pathname);
    else if (!/^\/(assets|search|api)(\/|$)|\.(ico|svg|png|txt|webmanifest)$/.test(pathname))
      this.enqueue(target, from);
  }

  private enqueue(path: string, linkedFrom?: string): void {
    if (this.seen.has(path) || this.seen.size >= PAGES_MAX) return;
    this.seen.add(path);
    this.waiting.push({ path, linkedFrom });
  }

  /** The path and query of an address of this site, otherwise null. */
  private pathOf(address: string, from = '/'): string | null {
    const base = `${this.input.siteUrl}${from}`;
    if (address.startsWith('#') || !URL.canParse(address, base)) return null;
    const url = new URL(address, base);
    return url.origin === this.input.siteUrl ? `${url.pathname}${url.search}` : null;
  }

  private async readText(path: string): Promise<string | null> {
    const answer = await this.get(path);
    if (!answer) return null;
    const text = await answer.text();
    if (answer.status === 200) return text;
    this.problem(`${path} answers ${answer.status}.`);
    return null;
  }

  private async get(path: string): Promise<Response | null> {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      // Without compression, which would take longer than rendering.
      const headers = { 'accept-encoding': 'identity' };
      return await this.input.ask({ path, signal, headers });
    } catch (error) {
      this.problem(`${path} does not answer: ${messageOf(error)}`);
      return null;
    }
  }

  private problem(text: string): void {
    this.input.problems.add(text);
  }
}
