import { createContext, useContext } from 'react';
import { prefixOf } from '#app/posts/paths.ts';
import { longDate } from './dates.ts';
import { type SiteFrame, listLanguage, pageLanguage } from './frame.ts';
import { messagesFor, type Messages } from './messages.ts';

// The frame of the error page when not even the settings can be read.
const fallback: SiteFrame = {
  origin: '',
  title: 'Dateline',
  description: '',
  language: 'en',
  siteLanguage: 'en',
  otherLanguages: [],
  postsPath: '/',
  timeZone: 'UTC',
  header: [],
  footer: [],
  headerButton: null,
  announcement: null,
  menus: {},
  footerText: '',
  hasNewsletter: false,
  logo: null,
  icon: null,
  socialLinks: [],
  copyButton: false,
  embedHosts: [],
  themeHref: '',
  fontFiles: [],
  listStyle: 'list',
  postStyle: 'above',
  footerStyle: 'line',
  headerPlace: 'top',
};

/** The site around a page, with the texts of the page's language. */
export interface ShownSite extends SiteFrame {
  messages: Messages;
  longDate: (date: Date) => string;
  /** True on a page in one of the site's other languages. */
  isOtherLanguage: boolean;
  /** What the addresses of this language's lists begin with: nothing, or `/de`. */
  prefix: string;
  /** What its header and footer contain, rendered once for all pages. */
  shell?: { header: string; footer: string };
}

/** Provided around every page of the site by the layout in `root.tsx`. */
export const SiteContext = createContext<ShownSite | null>(null);

/** The frame that the root loader read, in the language of the page. */
export function useSite(): ShownSite {
  return useContext(SiteContext) ?? shownSite(undefined, []);
}

// All pages with one frame and one language have the same.
const shown = new WeakMap<SiteFrame, Map<string, ShownSite>>();

/** @param frame undefined when the root loader failed */
export function shownSite(frame: SiteFrame = fallback, matches: readonly { data?: unknown }[]): ShownSite {
  const language = pageLanguage(frame, matches);
  const byLanguage = shown.get(frame) ?? new Map<string, ShownSite>();
  shown.set(frame, byLanguage);
  const cached = byLanguage.get(language);
  if (cached) return cached;
  const other = listLanguage({ ...frame, language });
  const site: ShownSite = {
    ...frame,
    ...(other && frame.menus[other]),
    language,
    messages: messagesFor(language),
    longDate: (date) => longDate(date, language, frame.timeZone),
    isOtherLanguage: other !== null,
    prefix: prefixOf(other ?? ''),
  };
  byLanguage.set(language, site);
  return site;
}
