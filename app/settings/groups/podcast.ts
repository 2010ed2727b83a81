import * as z from 'zod';
import { line } from '#app/platform/text/schemas.ts';
import { defineIn, onOff, oneOf } from '#app/settings/definition.ts';

const podcastsSetting = defineIn('site', 'podcasts');

/** The categories of Apple's directory: podcasters.apple.com/support/1691-apple-podcasts-categories. */
const categories = [
  'Arts',
  'Business',
  'Comedy',
  'Education',
  'Fiction',
  'Government',
  'Health & Fitness',
  'History',
  'Kids & Family',
  'Leisure',
  'Music',
  'News',
  'Religion & Spirituality',
  'Science',
  'Society & Culture',
  'Sports',
  'Technology',
  'True Crime',
  'TV & Film',
] as const;

/** The information about the site that podcast directories require for every show. */
export const podcastSettings = {
  podcast_category: podcastsSetting({
    label: 'Subject of podcasts',
    help: 'Where directories such as Apple Podcasts list the shows. A category’s posts with audio are a show at /categories/…/podcast.xml; its picture is the category’s, a square of 1400 to 3000 pixels.',
    control: 'choice',
    choices: categories.map((value) => ({ value, label: value })),
    schema: oneOf('Subject of podcasts', categories).transform((value) => value || 'News'),
    default: 'News',
  }),
  podcast_explicit: podcastsSetting({
    ...onOff('Explicit podcasts', ['No', 'Yes']),
    help: 'Directories mark shows that have explicit content.',
  }),
  podcast_email: podcastsSetting({
    label: 'Email address in podcasts',
    help: 'Directories send a code to this address to verify that a show is yours. It’s public. Leave blank for none.',
    schema: line(200, 'Email address').refine(
      (value) => value === '' || z.email().safeParse(value).success,
      'Enter an email address such as you@example.org.',
    ),
  }),
} as const;
