/** The parts of the form of the site's settings, in order. */
export const siteSections = {
  identity: 'Name and look',
  language: 'Language and time',
  lists: 'Home page and lists',
  texts: 'Texts',
  podcasts: 'Podcasts',
  crawlers: 'Search engines',
};

export type SiteSection = keyof typeof siteSections;
