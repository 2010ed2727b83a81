import { text } from '#app/platform/text/schemas.ts';
import { defineIn, onOff, oneOf, outboundAddress } from '#app/settings/definition.ts';

const deliverySetting = defineIn('delivery');

/** The forms of a purge, each the vendor's own. */
const purgeForms = ['off', 'fastly', 'cloudflare', 'xkey'] as const;
export type PurgeForm = (typeof purgeForms)[number];

/** Who is told of changes: caches in front of the site, hubs of feeds, search engines. */
export const deliverySettings = {
  cache_keys: deliverySetting({
    ...onOff('Cache keys'),
    help: 'Adds Surrogate-Key and Cache-Tag headers to public pages, so that a CDN can purge them.',
  }),
  purge_form: deliverySetting({
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
  purge_url: deliverySetting({
    label: 'Purge URL',
    help: 'Such as https://api.fastly.com/service/…/purge, https://api.cloudflare.com/client/v4/zones/…/purge_cache or the address of Varnish.',
    schema: outboundAddress('Purge URL'),
    isOutbound: true,
  }),
  purge_token: deliverySetting({
    label: 'Purge token',
    help: 'Leave blank to keep the current one. Enter it again when you change the address or provider.',
    control: 'secret',
    schema: text(1_000, 'Purge token'),
    secret: true,
    sentTo: ['purge_url', 'purge_form'],
  }),
  websub_hub: deliverySetting({
    label: 'WebSub hub',
    help: 'Notifies feed subscribers of changes immediately, so that they don’t have to poll.',
    schema: outboundAddress('WebSub hub'),
    isOutbound: true,
  }),
  indexnow: deliverySetting({
    ...onOff('IndexNow'),
    help: 'Notifies search engines of changed pages. Its key is created when you turn it on.',
  }),
} as const;
