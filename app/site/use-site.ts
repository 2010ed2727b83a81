import { useRouteLoaderData } from '@remix-run/react';
import { longDate } from './dates.ts';
import type { SiteFrame } from './frame.ts';
import { messagesFor, type Messages } from './messages.ts';

// Where not even the settings can be read, the error page still has a face.
const fallback: SiteFrame = {
  origin: '',
  title: 'Dateline',
  description: '',
  language: 'en',
  timeZone: 'UTC',
  navigation: [],
  footerText: '',
  logo: null,
  themeHref: '',
  fontFiles: [],
  listStyle: 'list',
  postStyle: 'above',
};

/** The frame that the root loader read, with the texts of its language. */
export function useSite(): SiteFrame & { messages: Messages; longDate: (date: Date) => string } {
  // Undefined when the root loader failed.
  const data = useRouteLoaderData<() => { site: SiteFrame }>('root');
  const site = data?.site ?? fallback;
  return {
    ...site,
    messages: messagesFor(site.language),
    longDate: (date) => longDate(date, site.language, site.timeZone),
  };
}
