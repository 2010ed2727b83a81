import type { MarkdownSite } from '#app/import/markdown/dialects/site.ts';

export interface MarkdownContext {
  /** IANA name of the zone of dates that name none. */
  timeZone: string;
  now: Date;
  site: MarkdownSite;
  /** The name of the imported folder. */
  folder?: string;
  /** `--permalink`: the scheme of old addresses, before any other. */
  permalink: string | null;
  /** Names of authors by their keys in `authors.yml`. */
  authors: ReadonlyMap<string, string>;
  /** The language of this site; posts in it get no `language`. */
  siteLanguage?: string;
}
