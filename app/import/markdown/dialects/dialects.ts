import { keysOf } from '#app/platform/narrow.ts';

/** The rules by which a site generator reads a folder of Markdown files, as far as an import needs them. */
export interface Dialect {
  /** Paths of Markdown files that are not posts: templates, themes, section pages. */
  notPosts: RegExp | null;
  /**
   * Paths of files that are pages if they have no date. A path begins with the name of the imported folder. The generator
   * publishes such files, so they are not drafts.
   */
  pages: RegExp | null;
  /** The beginning of a file's path that the generator leaves out of its address. */
  contentFolder: RegExp;
  /** The default scheme of addresses, unless the post or the site's configuration has another; null: unknown. */
  permalink: string | null;
  /** Extensions of Markdown that the text may contain. */
  syntax: readonly Syntax[];
}

export type Syntax =
  | 'liquid'
  | 'hugo'
  | 'zola'
  | 'jsx'
  | 'expressions'
  | 'admonitions'
  | 'wiki'
  | 'notices'
  | 'attributes'
  | 'alerts'
  | 'pelican'
  | 'mdc';

const noContent = /(^|\/)(_includes|_layouts|_data|_sass|_plugins|_site|vendor|themes|public|dist|build)\//;
const projectFile = String.raw`^(readme|changelog|license|contributing|code_of_conduct|security|todo|agents|claude|gemini)\.md$`;
/** A file directly in `content/`, or in its folder `page` or `pages`. */
const contentPage = /(^|\/)content\/(?:[^/]+|[^/]+\/index\.\w+|pages?\/.+)$/;
const or = (...patterns: (RegExp | string)[]) =>
  new RegExp(
    patterns.map((pattern) => (typeof pattern === 'string' ? pattern : pattern.source)).join('|'),
    'i',
  );

export const dialects = {
  markdown: { notPosts: null, pages: null, contentFolder: /^/, permalink: null, syntax: ['alerts'] },
  jekyll: {
    notPosts: or(noContent, projectFile),
    pages: /^(?:(?!_)[^/]+\/)+[^/]+$/,
    contentFolder: /^/,
    permalink: '/:categories/:year/:month/:day/:title.html',
    syntax: ['liquid', 'notices', 'attributes', 'alerts'],
  },
  hugo: {
    notPosts: or(
      /(^|\/)(archetypes|layouts|themes|public|resources|data|i18n|assets)\//,
      /(^|\/)_index(\.[\w-]+)?\.\w+$/,
      projectFile,
    ),
    pages: contentPage,
    contentFolder: /^(?:.*\/)?content\//,
    permalink: '/:path/',
    syntax: ['hugo', 'attributes', 'alerts'],
  },
  zola: {
    notPosts: or(/(^|\/)(templates|themes|public|sass)\//, /(^|\/)_index(\.[\w-]+)?\.\w+$/, projectFile),
    pages: contentPage,
    contentFolder: /^(?:.*\/)?content\//,
    permalink: '/:path/',
    syntax: ['zola', 'attributes', 'alerts'],
  },
  gatsby: {
    notPosts: or(noContent, projectFile),
    pages: /(^|\/)pages\//,
    contentFolder: /^(?:.*\/)?(?:content\/(?:blog|posts)|content|src\/pages)\//,
    permalink: '/:path/',
    syntax: ['jsx', 'alerts'],
  },
  docusaurus: {
    notPosts: or(noContent, projectFile),
    pages: /(^|\/)(pages|docs)\//,
    contentFolder: /^/,
    permalink: '/blog/:year/:month/:day/:name',
    syntax: ['jsx', 'expressions', 'admonitions', 'attributes', 'alerts'],
  },
  astro: {
    notPosts: or(noContent, projectFile),
    pages: /(^|\/)pages\//,
    contentFolder: /^(?:.*\/)?src\/(?:content|data|pages)\//,
    permalink: '/:path/',
    syntax: ['jsx', 'admonitions', 'alerts'],
  },
  hexo: {
    notPosts: or(/(^|\/)(scaffolds|themes|public)\//, projectFile),
    pages: /(^|\/)source\/(?!_)/,
    contentFolder: /^(?:.*\/)?source\/(?:_posts\/)?/,
    permalink: '/:year/:month/:day/:name/',
    syntax: ['liquid', 'alerts'],
  },
  eleventy: {
    notPosts: or(noContent, projectFile),
    pages: /(^|\/)pages\/|^(?!posts\/|blog\/)[^/]+\/(?:(?:src|content)\/)?[^/]+$/,
    contentFolder: /^(?:src|content)\//,
    permalink: '/:path/',
    syntax: ['liquid', 'attributes', 'alerts'],
  },
  pelican: {
    notPosts: or(/(^|\/)(output|plugins|pelican-plugins|themes|theme)\//, projectFile),
    pages: /(^|\/)pages\//,
    contentFolder: /^(?:.*\/)?content\//,
    permalink: '/:slug.html',
    syntax: ['pelican', 'attributes', 'alerts'],
  },
  nuxt: {
    notPosts: or(noContent, projectFile),
    pages: contentPage,
    contentFolder: /^(?:.*\/)?content\//,
    permalink: '/:path',
    syntax: ['jsx', 'mdc', 'alerts'],
  },
  vitepress: {
    notPosts: or(/(^|\/)(public|dist)\//, projectFile),
    pages: /(^|\/)pages\//,
    contentFolder: /^(?:docs|src)\//,
    permalink: '/:path.html',
    syntax: ['jsx', 'admonitions', 'attributes', 'alerts'],
  },
  sveltekit: {
    notPosts: or(noContent, projectFile),
    pages: /(^|\/)pages\//,
    contentFolder: /^(?:src\/(?:routes|lib\/content|content|lib)|src|content)\//,
    permalink: '/:path',
    syntax: ['jsx', 'alerts'],
  },
  obsidian: { notPosts: null, pages: null, contentFolder: /^/, permalink: null, syntax: ['wiki', 'alerts'] },
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof dialects;

/** Generators that leave relative addresses to the browser, which counts from the address of the page. */
export const countsFromPage: ReadonlySet<DialectName> = new Set(['zola', 'hugo', 'jekyll', 'eleventy']);
export const dialectNames = keysOf(dialects);

/** The syntax of a file: MDX (`.mdx`, Svelte's `.svx`) adds JSX and expressions for every generator. */
export function syntaxOf(file: string, { syntax }: Dialect): Dialect['syntax'] {
  const mdxSyntax: Dialect['syntax'] = ['jsx', 'expressions'];
  return /\.(mdx|svx)$/i.test(file)
    ? [...mdxSyntax, ...syntax.filter((extension) => !mdxSyntax.includes(extension))]
    : syntax;
}

export const postEndings = ['.md', '.markdown', '.mdx', '.svx', '.mdown', '.mkdown', '.mkdn', '.mkd'];
const endings = postEndings.map((ending) => ending.slice(1)).join('|');

/** The ending of a file that is a post. */
export const postEnding = new RegExp(String.raw`\.(?:${endings})$`, 'i');

/** A link to a file of the folder, as generators write it. */
export const postLink = new RegExp(
  String.raw`^(?:@\/|(?![a-z][a-z0-9+.-]*:|\/))[^?#]*\.(?:${endings})(?:[?#].*)?$`,
  'i',
);
