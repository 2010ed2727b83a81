import type { Element } from 'hast';
import { attribute, find } from './nodes.ts';

/** The arguments of a tag, shortcode or component: `id="x"` by name, and the values without a name, in order. */
export interface TagArguments {
  named: Record<string, string>;
  plain: string[];
}

/** The arguments that name the film, post or piece of code. */
const idNames = [
  ...['id', 'video_id', 'videoid', 'video-id', 'youtubeid', 'youtube_id', 'vimeoid', 'tweetid', 'tweet_id'],
  ...['gistid', 'gist_id', 'postid', 'embedid', 'video', 'url', 'videourl', 'href', 'link', 'src'],
];

/** The page of an embedded film, post or piece of code; null for a service that is not known. */
export function serviceAddress(service: string, { named, plain }: TagArguments): string | null {
  const id = idNames.map((name) => named[name]).find(Boolean) ?? plain[0] ?? '';
  if (id === '') return null;
  if (/^https?:\/\/\S+$/.test(id) && /^(youtube|vimeo|tweet|twitter|x|gist|instagram)$/.test(service))
    return id;
  switch (service) {
    case 'youtube':
      return youTubeAddress(id, named.start ?? named.t ?? '');
    case 'vimeo':
      return `https://vimeo.com/${id}`;
    case 'gist': {
      // `ada 0123abc a.js` of Hugo, `ada/0123abc a.js` and `0123abc a.js` of Jekyll and Hexo.
      const isUser = !id.includes('/') && /^[\da-f]{5,}$/.test(plain[1] ?? '');
      return isUser
        ? gistAddress(`${id}/${plain[1]}`, plain[2] ?? named.file)
        : gistAddress(id, plain[1] ?? named.file);
    }
    case 'tweet':
    case 'twitter':
    case 'x': {
      const user = named.user ?? 'i';
      return /^\d+$/.test(id) ? `https://x.com/${user}/status/${id}` : null;
    }
    case 'instagram':
      return `https://www.instagram.com/p/${id}/`;
    default:
      return null;
  }
}

/** @param start as seconds (`90`, `90s`) or `1m30s`; blank: at the beginning */
export function youTubeAddress(id: string, start = ''): string {
  const [film = '', query = ''] = id.split(/[?&](.*)/s);
  const seconds =
    start || (new URLSearchParams(query).get('start') ?? new URLSearchParams(query).get('t') ?? '');
  const from = /^(?:\d+h)?(?:\d+m)?(?:\d+s?)?$/.test(seconds) ? seconds.replace(/\d$/, '$&s') : '';
  return `https://www.youtube.com/watch?v=${film}${/[1-9]/.test(from) ? `&t=${from}` : ''}`;
}

/** A gist, at the file that is named, if any. */
export function gistAddress(gist: string, file = ''): string {
  const anchor = file.toLowerCase().replace(/[^\w]+/g, '-');
  return `https://gist.github.com/${gist}${anchor === '' ? '' : `#file-${anchor}`}`;
}

/** The address in the markup of a frame, film or sound; blank without one. */
export function writtenTarget(node: Element): string {
  const address = attribute(node, node.tagName === 'object' ? 'data' : 'src');
  // The address of a frame that a script loads late.
  const lazy = attribute(node, 'dataSrc') || attribute(node, 'dataLazySrc');
  // A player names its file in an inner element. Flash players were an `embed` in an `object`.
  const innerElement = find(
    node,
    (child) => ['source', 'embed', 'iframe'].includes(child.tagName) && attribute(child, 'src') !== '',
  );
  const flashFile = find(node, (child) => child.tagName === 'param' && attribute(child, 'name') === 'movie');
  const candidates = [
    address === 'about:blank' ? '' : address,
    lazy,
    innerElement ? attribute(innerElement, 'src') : '',
    flashFile ? attribute(flashFile, 'value') : '',
  ];
  return candidates.find((candidate) => candidate !== '') ?? '';
}

/**
 * The page with the content of a frame: at another site, or a path of the frame's own site; null for any other frame.
 */
export function embedTarget(frameAddress: string): string | null {
  const address = pageOfPlayer(frameAddress.startsWith('//') ? `https:${frameAddress}` : frameAddress.trim());
  if (address === '' || address.startsWith('#')) return null;
  if (/^[a-z][a-z0-9+.-]*:/i.test(address))
    return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
  return address;
}

// The page that shows the same as a player, since a player's own address works only in frames.
function pageOfPlayer(address: string): string {
  const youTube = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|v)\/([\w-]{6,}[^\s#]*)/i.exec(
    address,
  );
  if (youTube) return youTubeAddress(youTube[1]!);
  const codePen = /^(https:\/\/codepen\.io\/[\w-]+)\/embed\/(?:preview\/)?(\w+)/i.exec(address);
  if (codePen) return `${codePen[1]}/pen/${codePen[2]}`;
  const peerTube = /^(https:\/\/[^/]+)\/videos\/embed\/([\w-]{8,40})/i.exec(address);
  if (peerTube) return `${peerTube[1]}/w/${peerTube[2]}`;
  const mastodon = /^(https:\/\/[^/]+\/@[\w.@-]+\/\d+)\/embed/i.exec(address);
  if (mastodon) return mastodon[1]!;
  const vimeo = /^https?:\/\/player\.vimeo\.com\/video\/(\d+)/i.exec(address);
  return vimeo ? `https://vimeo.com/${vimeo[1]}` : address;
}

/** The address of a picture, also if a script loads it late; blank without one. */
export function pictureAddress(node: Element): string {
  const src = attribute(node, 'src');
  if (src !== '' && !/^data:/i.test(src)) return src;
  const lazy = ['dataSrc', 'dataLazySrc', 'dataOriginal'].map((name) => attribute(node, name)).find(Boolean);
  const { srcSet } = node.properties;
  const first = String(Array.isArray(srcSet) ? (srcSet[0] ?? '') : (srcSet ?? '')).trim();
  return lazy ?? (src || first.split(/\s/)[0]!);
}
