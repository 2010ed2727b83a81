/** An entry of a menu of the old site, and its target. */
export interface SourceMenuEntry {
  /** Blank: the target's title. */
  label: string;
  /** `key`: an item of the source; `address`: as it was written, used if this site has no such item. */
  target:
    | { key: string; address?: string }
    | { term: 'category' | 'tag'; slug: string }
    | { address: string };
  children: SourceMenuEntry[];
}

export interface SourceMenu {
  name: string;
  entries: SourceMenuEntry[];
}

/** The parts of a source's site around its posts. */
export interface SiteParts {
  /** Of the old site, without a slash at the end; `''`: unknown. */
  siteUrl: string;
  menus: SourceMenu[];
  /** Keys of the pinned posts, the newest first. */
  pinned: string[];
}
