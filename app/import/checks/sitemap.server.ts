import { readTextFile, sizeOfFile } from '#app/import/source/read-text.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import { invalidInput } from '#app/platform/errors.ts';
import type { Configured, Db } from '#app/platform/services.ts';
import { PublicAddresses } from './links.server.ts';

/** What `content:compare` prints. */
export interface SitemapComparison {
  addresses: number;
  /** Addresses that answer without a redirect. */
  same: number;
  /** Addresses that redirect. */
  redirected: number;
  /** Paths that answer 404, with their query. */
  gone: string[];
}

const MAX_BYTES = 50 * 1024 * 1024;

/**
 * Reports for each address of an old site what a reader gets for its path on this site.
 * @param file a sitemap, or a text with one address a line
 * @throws AppError `invalid_input` when the file is missing, is a sitemap index or names no address.
 */
export async function compareSitemap(
  app: Db & Configured & Stored,
  file: string,
): Promise<SitemapComparison> {
  const addresses = new PublicAddresses(app);
  const paths = await readPaths(file);
  const result: SitemapComparison = { addresses: paths.size, same: 0, redirected: 0, gone: [] };
  for (const path of paths) {
    const { pathname, search } = new URL(path, 'http://old.invalid');
    const answer = await addresses.answerAt(pathname, search);
    if (answer === 'found') result.same += 1;
    else if (answer === 'moved') result.redirected += 1;
    else result.gone.push(path);
  }
  return result;
}

async function readPaths(file: string): Promise<Set<string>> {
  if ((await sizeOfFile(file)) > MAX_BYTES) throw invalidInput(`${file} is too large: at most 50 MB.`);
  const text = await readTextFile(file);
  if (/<sitemapindex[\s>]/.test(text))
    throw invalidInput(`${file} is an index of sitemaps. Compare with each of the sitemaps that it names.`);
  const isXml = /<urlset[\s>]/.test(text);
  const written = isXml
    ? [...text.matchAll(/<loc>\s*(?:<!\[CDATA\[)?([^<\]]+)(?:\]\]>)?\s*<\/loc>/g)].map(([, address]) =>
        unescaped(address!.trim()),
      )
    : text.split(/\s*\n\s*/);
  const paths = written.flatMap((address) => pathAndQuery(address.trim()) ?? []);
  if (paths.length === 0)
    throw invalidInput(`${file} names no address: it is neither a sitemap nor a list of addresses.`);
  return new Set(paths);
}

function pathAndQuery(address: string): string | null {
  if (!/^(https?:\/\/|\/)/i.test(address) || !URL.canParse(address, 'http://old.invalid')) return null;
  const { pathname, search } = new URL(address, 'http://old.invalid');
  return pathname + search;
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
