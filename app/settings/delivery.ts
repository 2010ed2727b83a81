import { text } from '#app/platform/text/schemas.ts';
import { define, oneOf, outboundAddress } from './definition.ts';

/** The forms of a purge, each the vendor's own. */
const purgeForms = ['off', 'fastly', 'cloudflare', 'xkey'] as const;
export type PurgeForm = (typeof purgeForms)[number];

/** Who is told of changes: caches in front of the site, hubs of feeds, search engines. */
export const deliverySettings = {
  cache_keys: define({
    group: 'delivery',
    label: 'Cache keys',
    help: 'Adds Surrogate-Key and Cache-Tag headers to public pages, so that a CDN can purge them.',
    control: 'choice',
    choices: [
      { value: 'no', label: 'Off' },
      { value: 'yes', label: 'On' },
    ],
    schema: oneOf('Cache keys', ['no', 'yes']).transform((value) => value === 'yes'),
    default: 'no',
  }),
  purge_form: define({
    group: 'delivery',
    label: 'Cache purging',
    help: 'Tells your CDN which pages are out of date after a change. Requires cache keys.',
    control: 'choice',
    choices: [
      { value: 'off', label: 'Off' },
      { value: 'fastly', label: 'Fastly' },
      { value: 'cloudflare', label: 'Cloudflare' },
      { value: 'xkey', label: 'Varnish with xkey' },
    ],
    schema: oneOf('Cache purging', purgeForms).transform((value): PurgeForm => value || 'off'),
    default: 'off',
  }),
  purge_url: define({
    group: 'delivery',
    label: 'Purge URL',
    help: 'Such as https://api.fastly.com/service/…/purge, https://api.cloudflare.com/client/v4/zones/…/purge_cache or the address of Varnish.',
    control: 'line',
    schema: outboundAddress('Purge URL'),
    default: '',
    isOutbound: true,
  }),
  purge_token: define({
    group: 'delivery',
    label: 'Purge token',
    help: 'Leave blank to keep the current one. Enter it again when you change the address or provider.',
    control: 'secret',
    schema: text(1_000, 'Purge token'),
    default: '',
    secret: true,
    sentTo: ['purge_url', 'purge_form'],
  }),
  websub_hub: define({
    group: 'delivery',
    label: 'WebSub hub',
    help: 'Notifies feed subscribers of changes immediately, so that they don’t have to poll.',
    control: 'line',
    schema: outboundAddress('WebSub hub'),
    default: '',
    isOutbound: true,
  }),
  indexnow: define({
    group: 'delivery',
    label: 'IndexNow',
    help: 'Notifies search engines of changed pages. Its key is created when you turn it on.',
    control: 'choice',
    choices: [
      { value: 'no', label: 'Off' },
      { value: 'yes', label: 'On' },
    ],
    schema: oneOf('IndexNow', ['no', 'yes']).transform((value) => value === 'yes'),
    default: 'no',
  }),
} as const;
