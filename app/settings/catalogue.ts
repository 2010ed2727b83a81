import * as z from 'zod';
import { publicFirstSegments } from '#app/platform/http/public-addresses.ts';
import { keysOf } from '#app/platform/narrow.ts';
import { supportedLanguageList, supportedLanguages } from '#app/platform/text/languages.ts';
import { pictureAddress, line, requiredLine, text } from '#app/platform/text/schemas.ts';
import { isTimeZone } from '#app/platform/time/time-zone.ts';
import { appearanceSettings } from '#app/settings/groups/appearance.ts';
import { deliverySettings } from '#app/settings/groups/delivery.ts';
import { emailSettings } from '#app/settings/groups/email.ts';
import { newsletterSettings } from '#app/settings/groups/newsletter.ts';
import { operatorSettings } from '#app/settings/groups/publishing.ts';
import { podcastSettings } from '#app/settings/groups/podcast.ts';
import { presentationSettings } from '#app/settings/groups/presentation.ts';
import { defineIn, wholeNumber, type SettingDefinition } from './definition.ts';
import { parseLanguage, parseLanguages, parseMenu, parsePostsPath } from './parse.ts';

const internalSetting = defineIn('internal');
const identitySetting = defineIn('site', 'identity');
const languageSetting = defineIn('site', 'language');
const listsSetting = defineIn('site', 'lists');
const navigationSetting = defineIn('navigation');
const crawlersSetting = defineIn('site', 'crawlers');
const publishingSetting = defineIn('publishing');
const securitySetting = defineIn('security');

/** Values that the application writes itself. */
const internalSettings = {
  old_posts_paths: internalSetting({
    label: 'Former post list addresses',
    control: 'text',
    schema: text(5_000, 'Former addresses').transform((value) => value.split('\n').filter(Boolean)),
  }),
  indexnow_key: internalSetting({
    label: 'Key of IndexNow',
    schema: text(128, 'Key'),
    hidden: true,
  }),
  demo_content: internalSetting({
    label: 'Demo posts',
    control: 'text',
    schema: text(10_000, 'Demo posts'),
    hidden: true,
  }),
} as const;

export type { SettingDefinition, SettingsGroup } from './definition.ts';

/** Every setting, on one page; forms, seeds, reads and backups are derived from it. */
export const settingsCatalogue = {
  site_title: identitySetting({
    label: 'Title',
    help: 'Shown at the top of every page and in feeds.',
    schema: requiredLine(200, 'Title'),
    default: 'Dateline',
  }),
  site_description: identitySetting({
    label: 'Description',
    help: 'One sentence for feeds, search engines and the home page.',
    schema: line(500, 'Description'),
    default: 'Notes, published on time.',
  }),
  site_logo: identitySetting({
    label: 'Logo',
    help: 'A picture from the media library, shown instead of the title. Leave blank to show the title.',
    control: 'picture',
    schema: pictureAddress('Logo'),
  }),
  site_language: languageSetting({
    label: 'Language',
    help: `The language of dates and built-in texts: ${supportedLanguageList}, or a region such as en-GB.`,
    suggestions: supportedLanguages,
    offers: 'languages',
    schema: line(100, 'Language').transform(parseLanguage),
    default: 'en',
  }),
  site_languages: languageSetting({
    label: 'Other languages',
    help: 'Language tags besides the one above, separated by commas, such as de, pt-BR. Each gets its own list, feeds and sitemap below /de/….',
    hint: 'Each gets its own list, feeds and sitemap, below /de/….',
    control: 'list',
    offers: 'languages',
    schema: line(500, 'Other languages').transform(parseLanguages),
  }),
  site_timezone: languageSetting({
    label: 'Time zone',
    help: 'Times are entered and shown in this zone. Scheduled posts are still published at the same instant. Search by city, such as Berlin.',
    offers: 'time-zones',
    schema: z
      .string()
      .trim()
      .refine(isTimeZone, 'Time zone must be an IANA name such as Europe/Berlin or UTC.'),
    default: 'UTC',
  }),
  home_page: listsSetting({
    label: 'Home page',
    help: 'The page shown at /. The post list then moves to the address below.',
    control: 'choice',
    schema: line(64, 'Home page'),
  }),
  posts_path: listsSetting({
    label: 'Post list address',
    help: 'For example /blog, the default if there is a home page.',
    schema: line(200, 'Address').transform(parsePostsPath),
    default: '/',
  }),
  posts_per_page: listsSetting({
    label: 'Posts per page',
    help: 'How many posts each page of a list shows.',
    control: 'number',
    schema: wholeNumber('Posts per page', 1, 100),
    default: '10',
  }),
  feed_items: listsSetting({
    label: 'Posts in feeds',
    help: 'How many of the newest posts feeds contain.',
    control: 'number',
    schema: wholeNumber('Posts in feeds', 1, 100),
    default: '20',
  }),
  navigation: listsSetting({
    label: 'Navigation',
    help: 'The menu in the header: one link a line, label | address. The Navigation tab has it too, with the footer.',
    control: 'text',
    schema: text(20_000, 'Navigation').transform(parseMenu),
    default: 'Archive | /archive',
  }),
  header: navigationSetting({
    label: 'Header',
    help: 'One entry a line: label | address. Entries below another one begin with two spaces. Addresses begin with / or https://.',
    control: 'menu',
    schema: text(20_000, 'Header').transform(parseMenu),
    storedAs: 'navigation',
    default: 'Archive | /archive',
  }),
  footer: navigationSetting({
    label: 'Footer',
    help: 'Leave blank to show the archive, categories, tags and feed.',
    control: 'menu',
    schema: text(20_000, 'Footer').transform(parseMenu),
  }),
  footer_text: identitySetting({
    label: 'Text in the footer',
    help: 'One line at the bottom of every page, such as a copyright notice.',
    schema: line(1_000, 'Footer'),
  }),
  accent_color: identitySetting({
    label: 'Accent colour',
    help: 'Used for links and buttons. Leave blank to use the preset’s colour.',
    control: 'colour',
    schema: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^(|#[0-9a-f]{6})$/, 'Accent colour must look like #b3471d.')
      .transform((value) => value as '' | `#${string}`),
  }),
  robots_extra: crawlersSetting({
    label: 'Extra lines for robots.txt',
    help: 'Added to robots.txt, which tells search engines what to crawl.',
    control: 'text',
    schema: text(5_000, 'Extra lines'),
  }),
  ...presentationSettings,
  ...podcastSettings,
  ...appearanceSettings,
  ...internalSettings,
  ...operatorSettings,
  revision_keep_count: publishingSetting({
    label: 'Revisions to keep for each post',
    help: 'Older revisions of a post are deleted when you save it.',
    control: 'number',
    schema: wholeNumber('Revisions to keep', 1, 1_000),
    default: '25',
  }),
  revision_keep_days: publishingSetting({
    label: 'Days to keep revisions',
    help: 'Enter 0 to keep them regardless of age.',
    control: 'number',
    schema: wholeNumber('Days', 0, 36_500),
    default: '0',
  }),
  media_max_bytes: publishingSetting({
    label: 'Largest audio, video or PDF file',
    help: 'Images have a limit of their own, 25 MB.',
    control: 'choice',
    choices: [25, 50, 100, 200, 500, 900].map((size) => ({
      value: String(size * 1024 * 1024),
      label: `${size} MB`,
    })),
    schema: wholeNumber('Largest file', 1_000, 999_999_999),
    default: '209715200',
  }),
  ...deliverySettings,
  ...emailSettings,
  ...newsletterSettings,
  admin_path: securitySetting({
    label: 'Admin path',
    help: 'The first part of the backend’s address. After a change, the old address returns 404 immediately.',
    schema: z
      .string()
      .trim()
      .regex(/^[a-z0-9-]{3,64}$/, 'The path must be 3 to 64 characters: a to z, 0 to 9 and hyphens.')
      .refine(
        (value) => !publicFirstSegments.has(value),
        'The path is used by the public site. Choose another.',
      ),
    default: 'admin',
  }),
  audit_keep_days: securitySetting({
    label: 'Days to keep the audit log',
    help: 'Enter 0 to keep it forever.',
    control: 'number',
    schema: wholeNumber('Days', 0, 36_500),
    default: '365',
  }),
} as const;

export type SettingKey = keyof typeof settingsCatalogue;

/** All settings, typed. */
export type Settings = { [Key in SettingKey]: z.output<(typeof settingsCatalogue)[Key]['schema']> };

export const settingKeys = keysOf(settingsCatalogue);

/** The key of the row that stores a setting. */
export function storageKeyOf(key: SettingKey): SettingKey {
  return (definitionOf(key).storedAs as SettingKey | undefined) ?? key;
}

/** Keys of the secrets, in catalogue order. */
export const secretSettingKeys = settingKeys.filter((key) => definitionOf(key).secret);

export function definitionOf(key: SettingKey): SettingDefinition {
  return settingsCatalogue[key];
}

/** The path of the list of posts: `/`, unless a page is the home page or the list has another address. */
export function postsPathOf({ home_page, posts_path }: Pick<Settings, 'home_page' | 'posts_path'>): string {
  return home_page !== '' && posts_path === '/' ? '/blog' : posts_path;
}

/**
 * The redirect of `/` after the list of posts has moved; null if `/` shows the home page or the list.
 * @param hasHome true if the page that is the home is public; `isLater` for a request with `?page=`
 */
export function redirectOfHome(
  settings: Pick<Settings, 'home_page' | 'posts_path'>,
  { hasHome, isLater }: { hasHome: boolean; isLater: boolean },
): string | null {
  const postsPath = postsPathOf(settings);
  if (postsPath === '/') return null;
  if (hasHome) return isLater ? postsPath : null;
  return settings.home_page === '' ? postsPath : null;
}
