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
    help: 'Public pages carry Surrogate-Key and Cache-Tag, by which a cache in front can purge them.',
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
    label: 'Purges',
    help: 'After a change the cache in front is told which pages are out of date. Needs cache keys.',
    control: 'choice',
    choices: [
      { value: 'off', label: 'Off' },
      { value: 'fastly', label: 'Fastly' },
      { value: 'cloudflare', label: 'Cloudflare' },
      { value: 'xkey', label: 'Varnish with xkey' },
    ],
    schema: oneOf('Purges', purgeForms).transform((value): PurgeForm => value || 'off'),
    default: 'off',
  }),
  purge_url: define({
    group: 'delivery',
    label: 'Address for purges',
    help: 'Such as https://api.fastly.com/service/…/purge, https://api.cloudflare.com/client/v4/zones/…/purge_cache or the address of Varnish.',
    control: 'line',
    schema: outboundAddress('Address for purges'),
    default: '',
    isOutbound: true,
  }),
  purge_token: define({
    group: 'delivery',
    label: 'Token for purges',
    help: 'Leave blank to keep the one that is set. A changed address or form needs it again.',
    control: 'secret',
    schema: text(1_000, 'Token for purges'),
    default: '',
    secret: true,
    sentTo: ['purge_url', 'purge_form'],
  }),
  websub_hub: define({
    group: 'delivery',
    label: 'WebSub hub',
    help: 'Feeds name it, and it is told of each change, so that subscribers need not ask.',
    control: 'line',
    schema: outboundAddress('WebSub hub'),
    default: '',
    isOutbound: true,
  }),
  indexnow: define({
    group: 'delivery',
    label: 'IndexNow',
    help: 'Tells search engines the addresses that changed. Its key is made when it is switched on.',
    control: 'choice',
    choices: [
      { value: 'no', label: 'Off' },
      { value: 'yes', label: 'On' },
    ],
    schema: oneOf('IndexNow', ['no', 'yes']).transform((value) => value === 'yes'),
    default: 'no',
  }),
} as const;
