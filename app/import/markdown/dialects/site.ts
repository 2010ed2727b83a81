import type { DialectName } from './dialects.ts';
import type { SiteLanguage } from './language.ts';
import type { SiteDefaults } from './site-defaults.ts';

/** The generator that a folder of Markdown files is written for, and its configuration of addresses. */
export interface MarkdownSite {
  dialect: DialectName;
  /** The scheme of addresses, such as `/:year/:title/`; null: the dialect's own. */
  permalink: string | null;
  /** Schemes by the first folder of a post's path: Hugo's sections, and Jekyll's collections that are pages of the site. */
  permalinkOf: Readonly<Record<string, string>>;
  /** Address of the old site without a slash at the end; `''` when it is unknown. */
  siteUrl: string;
  /** Path of the old site, such as `/blog`; `''` for the root of its host. */
  basePath: string;
  /** The zone of times that name none, as the configuration has it; `''` without one. */
  timeZone: string;
  /** VitePress: the folder of the texts (`srcDir`) below that of the configuration; `''` for the same. */
  sourceFolder: string;
  /**
   * The beginnings of post addresses that differ from the post's folder: routes of Astro and SvelteKit that show posts,
   * the prefix in Gatsby's program, the blog of Docusaurus. Several count as unknown.
   */
  routes: readonly string[];
  /** Values for many files at once: from Jekyll's configuration and Eleventy's data files. */
  defaults: readonly SiteDefaults[];
  /** The languages of a site by Hugo or Zola that has several. */
  languages: readonly SiteLanguage[];
}
