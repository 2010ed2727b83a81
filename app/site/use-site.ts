import { useMatches, useRouteLoaderData } from '@remix-run/react';
import { longDate } from './dates.ts';
import type { SiteFrame } from './frame.ts';
import { messagesFor, type Messages } from './messages.ts';
import { inPageLanguage } from './page-language.ts';
import { prefixOf } from './place.ts';

// Where not even the settings can be read, the error page still has a face.
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
  footerText: '',
  logo: null,
  icon: null,
  socialLinks: [],
  copyButton: false,
  embedHosts: [],
  themeHref: '',
  fontFiles: [],
  listStyle: 'list',
  postStyle: 'above',
};

/** The site around a page, with the texts of the page's language. */
export interface ShownSite extends SiteFrame {
  messages: Messages;
  longDate: (date: Date) => string;
  /** True on a page in one of the site's other languages. */
  isOtherLanguage: boolean;
  /** What the addresses of this language's lists begin with: nothing, or `/de`. */
  prefix: string;
}

/** The frame that the root loader read, in the language of the page. */
export function useSite(): ShownSite {
  // Undefined when the root loader failed.
  const data = useRouteLoaderData<() => { site: SiteFrame }>('root');
  return shownSite(data?.site ?? fallback, useMatches());
}

function shownSite(frame: SiteFrame, matches: readonly { data?: unknown }[]): ShownSite {
  const site = inPageLanguage(frame, matches);
  const other = site.otherLanguages.find((language) => language === site.language);
  return {
    ...site,
    messages: messagesFor(site.language),
    longDate: (date) => longDate(date, site.language, site.timeZone),
    isOtherLanguage: other !== undefined,
    prefix: prefixOf(other ?? ''),
  };
}
