import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import * as z from 'zod';
import { element, textNode } from '#app/platform/text/hast.ts';

/** An address of a film, map or post that is alone on a line, and how its provider shows it. */
export interface EmbedAddress {
  provider: string;
  /** The request to the provider, and the format of the answer; null if the address alone is enough. */
  source: { url: string; form: 'oembed' | 'mastodon' | 'bluesky' } | null;
  /** Hosts that pictures may come from. */
  pictureHosts: RegExp | null;
  /** The page that opens in place; null for a post that is shown as a quotation. */
  frame: string | null;
  /** The title when the provider is not asked. */
  title: string;
}

/** The stored details of an address: `embeds.details`. */
export const embedDetailsSchema = z.object({
  provider: z.string(),
  title: z.string(),
  author: z.string().default(''),
  /** The text of a post on a social network. */
  text: z.string().default(''),
  frame: z.string().nullable(),
  picture: z.object({ src: z.string(), width: z.number(), height: z.number() }).nullable().default(null),
});
export type EmbedDetails = z.output<typeof embedDetailsSchema>;

const oembed = (endpoint: string, url: URL): EmbedAddress['source'] => ({
  url: `${endpoint}${endpoint.includes('?') ? '&' : '?'}url=${encodeURIComponent(url.href)}`,
  form: 'oembed',
});

/** How an address on one of the allowed hosts is shown; null for any other. */
export function embedAddress(address: string, allowedHosts: readonly string[]): EmbedAddress | null {
  if (address.length > 500 || !/^https:\/\//.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  const host = url.hostname.replace(/^(www|m)\./, '').replace(/^youtu\.be$/, 'youtube.com');
  if (url.port !== '' || url.username !== '' || !allowedHosts.includes(host)) return null;
  return readers.reduce<EmbedAddress | null>((found, read) => found ?? read(url, host), null);
}

/** The seconds of `90`, `90s` or `1h2m3s`; 0 for anything else. */
function secondsOf(written: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^(?:(\d{1,2})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(written) ?? [];
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

const readers: ((url: URL, host: string) => EmbedAddress | null)[] = [
  (url, host) => {
    if (host !== 'youtube.com') return null;
    const id =
      url.hostname === 'youtu.be'
        ? /^\/([\w-]{6,20})$/.exec(url.pathname)?.[1]
        : (/^\/(?:shorts|live|embed)\/([\w-]{6,20})$/.exec(url.pathname)?.[1] ??
          (url.pathname === '/watch'
            ? /^[\w-]{6,20}$/.exec(url.searchParams.get('v') ?? '')?.[0]
            : undefined));
    if (!id) return null;
    const start = secondsOf(url.searchParams.get('t') ?? url.searchParams.get('start') ?? '');
    const watched = new URL(`https://www.youtube.com/watch?v=${id}`);
    return {
      provider: 'YouTube',
      source: oembed('https://www.youtube.com/oembed?format=json', watched),
      pictureHosts: /^(i\d*|img)\.(ytimg|youtube)\.com$/,
      frame: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1${start > 0 ? `&start=${start}` : ''}`,
      title: '',
    };
  },
  (url, host) => {
    const id = host === 'vimeo.com' ? /^\/(\d{4,15})$/.exec(url.pathname)?.[1] : undefined;
    if (!id) return null;
    return {
      provider: 'Vimeo',
      source: oembed('https://vimeo.com/api/oembed.json', url),
      pictureHosts: /^i\.vimeocdn\.com$/,
      frame: `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`,
      title: '',
    };
  },
  (url, host) => {
    const [, user, id] =
      (host === 'codepen.io' && /^\/([\w-]{1,60})\/pen\/(\w{4,40})$/.exec(url.pathname)) || [];
    if (!id) return null;
    return {
      provider: 'CodePen',
      source: oembed('https://codepen.io/api/oembed?format=json', url),
      pictureHosts: /^(shots\.)?codepen\.io$/,
      frame: `https://codepen.io/${user}/embed/${id}?default-tab=result`,
      title: '',
    };
  },
  (url, host) => {
    const [, zoom, lat, lon] =
      (host === 'openstreetmap.org' &&
        /^#map=(\d{1,2})\/(-?\d{1,2}(?:\.\d{1,7})?)\/(-?\d{1,3}(?:\.\d{1,7})?)/.exec(url.hash)) ||
      [];
    if (!zoom || !lat || !lon) return null;
    const reach = 180 / 2 ** Math.min(18, Number(zoom));
    const box = [-2, -1, 2, 1].map((part, index) =>
      (Number(index % 2 ? lat : lon) + part * reach).toFixed(5),
    );
    return {
      provider: 'OpenStreetMap',
      source: null,
      pictureHosts: null,
      frame: `https://www.openstreetmap.org/export/embed.html?bbox=${box.join('%2C')}&layer=mapnik`,
      title: `${lat}, ${lon}`,
    };
  },
  (url, host) => {
    const [, handle, id] =
      (host === 'bsky.app' && /^\/profile\/([\w.:-]{3,250})\/post\/(\w{5,30})$/.exec(url.pathname)) || [];
    if (!id) return null;
    const uri = encodeURIComponent(`at://${handle}/app.bsky.feed.post/${id}`);
    return {
      provider: 'Bluesky',
      source: {
        url: `https://public.api.bsky.app/xrpc/app.bsky.feed.getPostThread?depth=0&parentHeight=0&uri=${uri}`,
        form: 'bluesky',
      },
      pictureHosts: null,
      frame: null,
      title: '',
    };
  },
  (url, host) => {
    const id = /^\/@[\w.@-]{1,200}\/(\d{5,25})$/.exec(url.pathname)?.[1];
    if (!id) return null;
    return {
      provider: host,
      source: { url: `https://${url.hostname}/api/v1/statuses/${id}`, form: 'mastodon' },
      pictureHosts: null,
      frame: null,
      title: '',
    };
  },
  (url, host) => {
    const id = /^\/(?:w|videos\/watch)\/([\w-]{8,40})$/.exec(url.pathname)?.[1];
    if (!id) return null;
    return {
      provider: host,
      source: oembed(`https://${url.hostname}/services/oembed?format=json`, url),
      pictureHosts: new RegExp(`^${url.hostname.replaceAll('.', '\\.')}$`),
      frame: `https://${url.hostname}/videos/embed/${id}?autoplay=1`,
      title: '',
    };
  },
];

/** The origins of the allowed hosts' frames, for the page's policy. */
export function frameOrigins(allowedHosts: readonly string[]): Set<string> {
  const frameHosts: Record<string, string> = {
    'youtube.com': 'www.youtube-nocookie.com',
    'vimeo.com': 'player.vimeo.com',
    'openstreetmap.org': 'www.openstreetmap.org',
  };
  return new Set(
    allowedHosts
      .flatMap((host) => [host, `www.${host}`, frameHosts[host] ?? host])
      .map((host) => `https://${host}`),
  );
}

/** The known details of each address that is alone on a line of a text. */
export type Embeds = ReadonlyMap<string, EmbedDetails>;

const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-presentation allow-forms';

/**
 * Replaces each link that is alone in its paragraph and whose address is known. A post of a social network becomes a
 * quotation. Anything else becomes a title with a picture that this site serves; the provider's page loads only when a
 * reader opens it.
 */
export function decorateEmbeds(tree: Root, embeds: Embeds | undefined): void {
  if (!embeds || embeds.size === 0) return;
  tree.children = tree.children.map((node) => {
    const address = node.type === 'element' ? loneLink(node) : undefined;
    const details = address === undefined ? undefined : embeds.get(address);
    if (!details) return node;
    return details.frame === null ? quotation(address!, details) : facade(address!, details);
  });
}

function loneLink(node: Element): string | undefined {
  const [link, ...others] = node.children.filter(
    (child) => child.type !== 'text' || child.value.trim() !== '',
  );
  if (node.tagName !== 'p' || others.length > 0 || link?.type !== 'element' || link.tagName !== 'a')
    return undefined;
  const { href } = link.properties;
  return typeof href === 'string' && toString(link) === href ? href : undefined;
}

function facade(address: string, details: EmbedDetails): Element {
  const { title, provider, picture, frame } = details;
  const image = picture
    ? [element('img', { ...picture, alt: '', loading: 'lazy', decoding: 'async' }, [])]
    : [];
  return element('figure', { className: ['embed'] }, [
    element('details', {}, [
      element('summary', {}, [...image, element('span', { className: ['embed-title'] }, [textNode(title)])]),
      element(
        'iframe',
        {
          src: frame ?? undefined,
          title,
          loading: 'lazy',
          sandbox: [SANDBOX],
          allow: 'autoplay; fullscreen; picture-in-picture; encrypted-media',
          referrerPolicy: 'strict-origin-when-cross-origin',
        },
        [],
      ),
    ]),
    caption(address, title, provider),
  ]);
}

function quotation(address: string, { text: words, author, provider }: EmbedDetails): Element {
  const paragraphs = words
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => element('p', {}, [textNode(part)]));
  return element('figure', { className: ['embed', 'embed-quote'] }, [
    element('blockquote', { cite: address }, paragraphs),
    caption(address, author, provider),
  ]);
}

function caption(address: string, label: string, provider: string): Element {
  const link = element('a', { href: address, rel: ['external', 'noopener'] }, [textNode(label || address)]);
  return element('figcaption', {}, [link, textNode(` · ${provider}`)]);
}
