import { z } from 'zod';
import { line } from '#app/platform/text.ts';
import { define } from './definition.ts';

/** What stands beside the appearance: how texts are set. */
export const presentationSettings = {
  smart_typography: define({
    group: 'site',
    label: 'Smart typography',
    help: 'Quotation marks, dashes and spaces as the language of a text has them. Texts follow when they are saved.',
    control: 'choice',
    choices: [
      { value: 'off', label: 'As typed' },
      { value: 'on', label: 'As the language has them' },
    ],
    schema: z
      .enum(['on', 'off', ''], 'Choose one of the offered values for “Smart typography”.')
      .transform((value) => value === 'on'),
    default: 'off',
  }),
  embed_hosts: define({
    group: 'site',
    label: 'Embeds',
    help: 'Sites whose films, maps and posts are shown where a text has their address alone on a line: youtube.com, vimeo.com, codepen.io, openstreetmap.org, bsky.app, and instances of Mastodon and PeerTube, separated by commas. Nothing of theirs loads before a reader opens it.',
    control: 'line',
    schema: line(2_000, 'Embeds').transform((value, context) => {
      const hosts = value
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean);
      const wrong = hosts.find((host) => !/^(?=.{4,200}$)([a-z0-9-]+\.)+[a-z]{2,}$/.test(host));
      if (wrong)
        context.addIssue({
          code: 'custom',
          message: `“${wrong}” is not the name of a site such as youtube.com.`,
        });
      return hosts;
    }),
    default: 'youtube.com, vimeo.com, codepen.io, openstreetmap.org, bsky.app, mastodon.social',
  }),
} as const;
