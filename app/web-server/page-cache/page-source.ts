import type { RecordKeys } from '#app/platform/page-keys.ts';
import type { PublicAddress } from '#app/platform/public-addresses.ts';

/** Where pages come from. It gets no header of the client: public answers depend on none. */
export interface PageSource {
  /** The public address at a path that `mayBePage`; null for the backend, a redirect and an unknown path. */
  find(path: string): Promise<PublicAddress | null>;
  /** Renders the public page at a key; null where there is none any more at a path that `mayBePage`. */
  render(key: string, recordKeys: RecordKeys): Promise<Response | null>;
  /** Another text after every change of the search index; null where only asking would tell. */
  indexVersion(): string | null;
}
