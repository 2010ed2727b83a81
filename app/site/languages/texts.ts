/** One text for each plural form that a language has; `{count}` stands for the number. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

interface Failure {
  heading: string;
  text: string;
}

/** Every built-in text of the public site; placeholders are in braces. */
export interface Texts {
  skipToContent: string;
  mainNavigation: string;
  /** Opens the main navigation on a phone. */
  menu: string;
  footerNavigation: string;
  languages: string;
  /** Names the bar above every page. */
  announcement: string;
  /** Opens the submenu of an entry, `{label}`. */
  more: string;
  breadcrumb: string;
  pagesBelow: string;
  translations: string;
  archive: string;
  categories: string;
  tags: string;
  allCategories: string;
  allTags: string;
  feed: string;
  /** The feed of a category’s posts with audio. */
  podcast: string;
  /** What a browser shows at a feed's address. */
  feedPage: { kind: string; text: string; address: string };
  copyCode: string;
  codeCopied: string;
  search: {
    label: string;
    placeholder: string;
    button: string;
    heading: string;
    /** `{query}` */
    results: Plural;
    /** The link that removes the chosen category or tag. */
    inAll: string;
    prompt: string;
    nothing: string;
    /** Beside the results of a corrected query; `{query}` as the reader typed it. */
    notAsTyped: string;
    nothingHint: string;
    degraded: string;
    category: string;
    tag: string;
  };
  post: {
    readingTime: Plural;
    /** `{date}` */
    updated: string;
    contents: string;
    older: string;
    newer: string;
    moreStories: string;
    related: string;
    /** Before the links that hand the address of a post on. */
    share: string;
    email: string;
    address: string;
    comments: Plural;
    anonymous: string;
    preview: string;
    /** Heads the cards of a post's authors. */
    authors: Plural;
  };
  lists: {
    latest: string;
    category: string;
    tag: string;
    author: string;
    count: Plural;
    empty: string;
    years: string;
    pages: string;
    /** `{page}`, `{pageCount}` */
    pageOf: string;
    page: string;
  };
  errors: {
    notFound: Failure;
    failed: Failure;
    notAllowed: Failure;
    forbidden: Failure;
    unavailable: Failure;
    recent: string;
    /** `{title}`: the post whose title an unknown address has. */
    named: string;
    toHome: string;
    /** On pages of the backend. */
    toDashboard: string;
  };
}
