/** What folders of Markdown files are written for: the rules of each generator, as far as an import needs them. */
export interface Dialect {
  /** Paths of files that are no posts although they end like one: templates, themes, section pages. */
  noPost: RegExp | null;
  /**
   * Paths of files that are pages of the site where they have no date, with the name of the folder that is read before
   * them. The generator shows such files, so they are no drafts.
   */
  pages: RegExp | null;
  /** The folder of the posts' paths in addresses: what is before it is not part of an address. */
  contentFolder: RegExp;
  /** The address of a post where neither the post nor the site's configuration says otherwise; null: unknown. */
  permalink: string | null;
  /** What the text may hold beside Markdown. */
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
/** At the top of the content or in a folder of pages. */
const contentPage = /(^|\/)content\/(?:[^/]+|[^/]+\/index\.\w+|pages?\/.+)$/;
const or = (...patterns: (RegExp | string)[]) =>
  new RegExp(patterns.map((one) => (typeof one === 'string' ? one : one.source)).join('|'), 'i');

export const dialects = {
  markdown: { noPost: null, pages: null, contentFolder: /^/, permalink: null, syntax: ['alerts'] },
  jekyll: {
    noPost: or(noContent, projectFile),
    pages: /^(?:(?!_)[^/]+\/)+[^/]+$/,
    contentFolder: /^/,
    permalink: '/:categories/:year/:month/:day/:title.html',
    syntax: ['liquid', 'notices', 'attributes', 'alerts'],
  },
  hugo: {
    noPost: or(
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
    noPost: or(/(^|\/)(templates|themes|public|sass)\//, /(^|\/)_index(\.[\w-]+)?\.\w+$/, projectFile),
    pages: contentPage,
    contentFolder: /^(?:.*\/)?content\//,
    permalink: '/:path/',
    syntax: ['zola', 'attributes', 'alerts'],
  },
  gatsby: {
    noPost: or(noContent, projectFile),
    pages: /(^|\/)pages\//,
    contentFolder: /^(?:.*\/)?(?:content\/(?:blog|posts)|content|src\/pages)\//,
    permalink: '/:path/',
    syntax: ['jsx', 'alerts'],
  },
  docusaurus: {
    noPost: or(noContent, projectFile),
    pages: /(^|\/)(pages|docs)\//,
    contentFolder: /^/,
    permalink: '/blog/:year/:month/:day/:name',
    syntax: ['jsx', 'expressions', 'admonitions', 'attributes', 'alerts'],
  },
  astro: {
    noPost: or(noContent, projectFile),
    pages: /(^|\/)pages\//,
    contentFolder: /^(?:.*\/)?src\/(?:content|data|pages)\//,
    permalink: '/:path/',
    syntax: ['jsx', 'admonitions', 'alerts'],
  },
  hexo: {
    noPost: or(/(^|\/)(scaffolds|themes|public)\//, projectFile),
    pages: /(^|\/)source\/(?!_)/,
    contentFolder: /^(?:.*\/)?source\/(?:_posts\/)?/,
    permalink: '/:year/:month/:day/:name/',
    syntax: ['liquid', 'alerts'],
  },
  eleventy: {
    noPost: or(noContent, projectFile),
    pages: /(^|\/)pages\/|^(?!posts\/|blog\/)[^/]+\/(?:(?:src|content)\/)?[^/]+$/,
    contentFolder: /^(?:src|content)\//,
    permalink: '/:path/',
    syntax: ['liquid', 'attributes', 'alerts'],
  },
  pelican: {
    noPost: or(/(^|\/)(output|plugins|pelican-plugins|themes|theme)\//, projectFile),
    pages: /(^|\/)pages\//,
    contentFolder: /^(?:.*\/)?content\//,
    permalink: '/:slug.html',
    syntax: ['pelican', 'attributes', 'alerts'],
  },
  nuxt: {
    noPost: or(noContent, projectFile),
    pages: contentPage,
    contentFolder: /^(?:.*\/)?content\//,
    permalink: '/:path',
    syntax: ['jsx', 'mdc', 'alerts'],
  },
  vitepress: {
    noPost: or(/(^|\/)(public|dist)\//, projectFile),
    pages: /(^|\/)pages\//,
    contentFolder: /^(?:docs|src)\//,
    permalink: '/:path.html',
    syntax: ['jsx', 'admonitions', 'attributes', 'alerts'],
  },
  sveltekit: {
    noPost: or(noContent, projectFile),
    pages: /(^|\/)pages\//,
    contentFolder: /^(?:src\/(?:routes|lib\/content|content|lib)|src|content)\//,
    permalink: '/:path',
    syntax: ['jsx', 'alerts'],
  },
  obsidian: { noPost: null, pages: null, contentFolder: /^/, permalink: null, syntax: ['wiki', 'alerts'] },
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof dialects;
export const dialectNames = Object.keys(dialects) as DialectName[];

/** MDX, and Svelte's form of it, is read the same way for every generator. */
export function syntaxOf(file: string, { syntax }: Dialect): Dialect['syntax'] {
  const own: Dialect['syntax'] = ['jsx', 'expressions'];
  return /\.(mdx|svx)$/i.test(file) ? [...own, ...syntax.filter((one) => !own.includes(one))] : syntax;
}
