import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { mkdir, rm, writeFile, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatOf, imageFormats } from '#app/media/encode/formats.ts';
import { mediaLimits } from '#app/media/encode/limits.ts';
import { storeMedia, type MediaApp, type StoredMedia } from '#app/media/library/store-media.server.ts';
import { isAppError, invalidInput, AppError } from '#app/platform/errors.ts';
import { chunksOf } from '#app/platform/files/chunks.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import { isPublicAddress } from '#app/platform/http/network-address.server.ts';
import { requestPinned, resolveTarget, type NetworkAddress } from '#app/platform/http/outbound.server.ts';

/** The limits of what a run fetches. */
const fetchLimits = {
  files: 5_000,
  bytes: 4 * 1024 * 1024 * 1024,
  /** Of one file, redirects included. */
  fileMs: 30_000,
  /** Of the whole run. */
  runMs: 2 * 60 * 60_000,
  redirects: 3,
  /** Pictures in a row for which a host does not answer within `fileMs`. */
  silences: 5,
};

/** What became of a picture's address. `isSilent`: its host has not answered in time. */
type Fetched = { file: string } | { problem: string; isSilent?: boolean };

export interface FetchOptions {
  /** Where fetched files go; its owner removes it. */
  folder?: string;
  /** Resolves a host to all its addresses; tests replace it. */
  resolve?: (host: string) => Promise<NetworkAddress[]>;
  /** Whether a connection to an address is allowed; a test allows its own server. */
  isAllowed?: (address: string) => boolean;
  /** Makes no request: reports each picture as one that an import would fetch. */
  isDryRun?: boolean;
  /** Lower limits, for tests. */
  limits?: Partial<typeof fetchLimits>;
}

/** The path of a new temporary folder, which does not exist yet. */
export function newFetchFolder(): string {
  return path.join(tmpdir(), `dateline-fetch-${randomBytes(6).toString('hex')}`);
}

/**
 * Fetches pictures of an earlier site (`--fetch-media`) into a temporary folder, each once. Resolves a host's name once
 * and connects to the address that was checked, so that no name leads to a private network.
 */
export class MediaFetcher {
  private readonly folder: string;
  readonly resolve: (host: string) => Promise<NetworkAddress[]>;
  readonly isAllowed: (address: string) => boolean;
  private readonly isDryRun: boolean;
  private readonly known = new Map<string, Promise<Fetched>>();
  private readonly limits: typeof fetchLimits;
  private readonly timeIsOver = AbortSignal.timeout(fetchLimits.runMs);
  private fileCount = 0;
  private bytes = 0;
  /** Host → pictures in a row without an answer in time. */
  private readonly silences = new Map<string, number>();

  constructor(options: FetchOptions = {}) {
    this.folder = options.folder ?? newFetchFolder();
    this.resolve = options.resolve ?? ((host) => lookup(host, { all: true }));
    this.isAllowed = options.isAllowed ?? isPublicAddress;
    this.isDryRun = options.isDryRun ?? false;
    this.limits = { ...fetchLimits, ...options.limits };
  }

  /** The file that was fetched from a picture's address, or the reason why there is none. */
  fetch(url: string): Promise<Fetched> {
    let known = this.known.get(url);
    if (!known) {
      known = this.fetchFile(url).catch((error: unknown) =>
        isAppError(error)
          ? { problem: error.message, ...(error.code === 'unavailable' && { isSilent: true }) }
          : { problem: 'the server does not answer' },
      );
      this.known.set(url, known);
    }
    return known;
  }

  /** Removes the fetched files. */
  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private async fetchFile(url: string): Promise<{ file: string }> {
    if (this.isDryRun) throw invalidInput('a dry run fetches nothing, the import would');
    // Addresses without a picture do not count: several are tried for one in full size.
    if (this.fileCount >= this.limits.files)
      throw invalidInput(`at most ${this.limits.files} files are fetched in one run`);
    if (this.timeIsOver.aborted) throw invalidInput('the time for fetching is over');
    const bytes = await this.download(
      new URL(url),
      fetchLimits.redirects,
      AbortSignal.timeout(this.limits.fileMs),
    );
    const format = formatOf(bytes);
    if (format === null) {
      const isPage = /<!doctype html|<html[\s>]/i.test(bytes.toString('latin1', 0, 1_000));
      throw invalidInput(
        isPage ? 'the server sends a web page, such as a login' : 'it is no picture that can be stored',
      );
    }
    const folder = path.join(this.folder, sha256Of(url).slice(0, 16));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${nameOf(url)}.${imageFormats[format].extension}`);
    await writeFile(file, bytes, { mode: 0o600 });
    this.fileCount += 1;
    return { file };
  }

  private async download(url: URL, redirects: number, signal: AbortSignal): Promise<Buffer> {
    const target = await resolveTarget(url, this);
    const response = await this.answerOf(url, target, signal);
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.destroy();
      if (redirects === 0) throw invalidInput(`it redirects more than ${fetchLimits.redirects} times`);
      if (!URL.canParse(headers.location, url)) throw invalidInput('it redirects to no address');
      return this.download(new URL(headers.location, url), redirects - 1, signal);
    }
    if (statusCode !== 200) {
      response.destroy();
      throw invalidInput(`the server answers ${statusCode}`);
    }
    return this.read(response);
  }

  /**
   * Stops asking a host that did not answer in time for several pictures in a row: a run would take hours. A host that
   * refuses or resets connections costs no time, and may be starting again.
   */
  private async answerOf(url: URL, target: NetworkAddress, signal: AbortSignal) {
    const silences = this.silences.get(url.host) ?? 0;
    if (silences >= this.limits.silences)
      throw invalidInput(`the server has not answered ${this.limits.silences} times in a row`);
    try {
      const response = await requestPinned(url, target, {
        headers: { 'User-Agent': 'Dateline import', Accept: 'image/*' },
        signal,
      });
      this.silences.delete(url.host);
      return response;
    } catch (error) {
      if (!signal.aborted) throw error;
      this.silences.set(url.host, silences + 1);
      throw new AppError('unavailable', 'the server does not answer in time');
    }
  }

  private async read(response: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of chunksOf(response)) {
      size += chunk.length;
      this.bytes += chunk.length;
      if (size > mediaLimits.fileBytes || this.bytes > fetchLimits.bytes) {
        response.destroy();
        throw invalidInput(
          size > mediaLimits.fileBytes
            ? `it is larger than ${mediaLimits.fileBytes / 1024 / 1024} MB`
            : 'at most 4 GB are fetched in one run',
        );
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  const name = last
    .replace(/\.[^.]*$/, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 80);
  return name || 'picture';
}

const ADDRESS_CHARACTERS = 2_000;

/**
 * Copies a picture of another site into the media library, by the same rules as an import: never from a network that
 * is not public.
 * @throws AppError `invalid_input` with the reason; then nothing was stored.
 */
export async function copyPicture(
  app: MediaApp,
  { address, uploadedById }: { address: string; uploadedById: string },
  options: FetchOptions = {},
): Promise<StoredMedia> {
  if (address.length > ADDRESS_CHARACTERS || !URL.canParse(address))
    throw invalidInput('That is no address of a picture.');
  const fetcher = new MediaFetcher(options);
  try {
    const fetched = await fetcher.fetch(address);
    if ('problem' in fetched) throw invalidInput(`The picture could not be fetched: ${fetched.problem}.`);
    const { file } = fetched;
    return await storeMedia(app, {
      bytes: await readFile(file),
      originalName: path.basename(file),
      uploadedById,
    });
  } finally {
    await fetcher.close();
  }
}
