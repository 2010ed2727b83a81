import type { RecordKeys } from '#app/platform/page-keys.ts';
import type { PublicAddress } from '#app/platform/public-addresses.ts';

/** Where pages come from. It gets no header of the client: public answers depend on none. */
export interface PageSource {
  /** The public address at a path that `mayBePage`; null for the backend, a redirect and an unknown path. */
  find(path: string): Promise<PublicAddress | null>;
  /** Renders the public page at a key; null where there is none any more at a path that `mayBePage`. */
  render(key: string, recordKeys: RecordKeys): Promise<WholeAnswer | null>;
  /** Another text after every change of the search index; null where only asking would tell. */
  indexVersion(): string | null;
}

/** An answer with all of its body. */
export interface WholeAnswer {
  status: number;
  /** By names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/** Reads a response to its end. */
export async function wholeAnswer(response: Response): Promise<WholeAnswer> {
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), body: Buffer.from(await response.arrayBuffer()) };
}
