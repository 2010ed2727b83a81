import { localPath } from '#app/platform/http/paths.ts';
import { customIssue, say } from '#app/platform/message.ts';
import { pictureAddress, line, text } from '#app/platform/text/schemas.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { defineIn, onOff } from '#app/settings/definition.ts';
import { parseAnnouncement, parseLink } from '#app/settings/parse.ts';

const textsSetting = defineIn('site', 'texts');
const identitySetting = defineIn('site', 'identity');
const listsSetting = defineIn('site', 'lists');
const navigationSetting = defineIn('navigation');

const SECTIONS_MAX = 8;

/** Settings of the public site besides its appearance: typography, icon, sections of lists, links, embeds. */
export const presentationSettings = {
  smart_typography: textsSetting({
    ...onOff('Smart typography', ['As typed', 'By the rules of the language'], ['off', 'on']),
    help: 'Corrects quotation marks, dashes and spaces for the post’s language. Existing posts change when you next save them.',
  }),
  site_icon: identitySetting({
    label: 'Icon and social picture',
    help: 'A picture from the media library, ideally 1200 by 630 pixels with the logo in the middle. Browsers show it in tabs, and shared links show it when a page has no picture.',
    control: 'picture',
    schema: pictureAddress('Icon'),
  }),
  pinned_post: listsSetting({
    label: 'Pinned post',
    help: 'Address of the post to show first in the post list, such as /posts/welcome.',
    hint: 'Shown first in the post list.',
    control: 'post',
    schema: line(500, 'Pinned post').transform((value) => value.replace(/^.*\/posts\//, '')),
  }),
  home_sections: listsSetting({
    label: 'Sections below the post list',
    help: 'Slugs of categories in order, separated by commas, such as essays, city. Each shows its newest posts on the first page of the list. Leave blank for none.',
    hint: 'Each shows the newest posts of a category on the first page of the list.',
    control: 'list',
    offers: 'categories',
    schema: line(1_000, 'Sections').transform((value, context) => {
      const slugs = value
        .split(',')
        .map((slug) => slug.trim())
        .filter((slug) => slug !== '');
      const wrong = slugs.find((slug) => toSlug(slug) !== slug);
      if (wrong !== undefined)
        context.addIssue(customIssue(say('“{slug}” is not the slug of a category.', { slug: wrong })));
      if (slugs.length > SECTIONS_MAX)
        context.addIssue(customIssue(say('At most {most} sections.', { most: SECTIONS_MAX })));
      return [...new Set(slugs)];
    }),
  }),
  copy_button: textsSetting({
    ...onOff('Copy button of code blocks', ['None', 'Beside each code block'], ['off', 'on']),
    help: 'Adds a script of less than 1 KB, only to pages with code. It’s the only script on the public site.',
  }),
  header_button: navigationSetting({
    label: 'Button in the header',
    help: 'One link that stands out beside the menu: label | address, such as Subscribe | /subscribe. Leave blank for none.',
    hint: 'A link that stands out beside the menu.',
    control: 'link',
    schema: line(300, 'Button in the header').transform(parseLink),
  }),
  announcement: navigationSetting({
    label: 'Announcement',
    help: 'One line above every page, with a link where you add an address: text | address. Leave blank for none.',
    hint: 'One line above every page. Leave the address blank for text alone.',
    control: 'link',
    schema: line(300, 'Announcement').transform(parseAnnouncement),
  }),
  social_links: navigationSetting({
    label: 'Social links',
    help: 'One address a line, such as https://mastodon.social/@you, mailto:you@example.org or /rss.xml. Shown as icons in the footer.',
    hint: 'Shown as icons in the footer.',
    control: 'lines',
    schema: text(5_000, 'Social links').transform((value, context) => {
      const addresses = value
        .split('\n')
        .map((address) => address.trim())
        .filter((address) => address !== '');
      const isLink = (address: string) =>
        !/\s/.test(address) &&
        (/^https?:\/\/[^/\\]|^mailto:[^@]+@[^@]+$/i.test(address)
          ? URL.canParse(address)
          : localPath(address) !== null);
      const wrong = addresses.find((address) => !isLink(address));
      if (wrong)
        context.addIssue(
          customIssue(
            say('“{address}” is not an address such as https://mastodon.social/@you.', { address: wrong }),
          ),
        );
      return addresses;
    }),
  }),
  embed_hosts: textsSetting({
    label: 'Embeds',
    help: 'Sites that are embedded when their link stands alone on a line: youtube.com, vimeo.com, codepen.io, openstreetmap.org, bsky.app, and instances of Mastodon and PeerTube, separated by commas. Nothing of theirs loads before a reader opens it.',
    hint: 'Sites that are embedded when their link stands alone on a line. Nothing loads before a reader opens it.',
    control: 'list',
    schema: line(2_000, 'Embeds').transform((value, context) => {
      const hosts = value
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean);
      const wrong = hosts.find((host) => !/^(?=.{4,200}$)([a-z0-9-]+\.)+[a-z]{2,}$/.test(host));
      if (wrong)
        context.addIssue(
          customIssue(say('“{name}” is not the name of a site such as youtube.com.', { name: wrong })),
        );
      return hosts;
    }),
    default: 'youtube.com, vimeo.com, codepen.io, openstreetmap.org, bsky.app, mastodon.social',
  }),
} as const;
