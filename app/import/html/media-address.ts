import type { Element } from 'hast';
import { attribute, find } from './nodes.ts';
import { youTubeAddress } from './service-address.ts';

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
