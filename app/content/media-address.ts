import type { Element } from 'hast';
import { attribute, find } from './html-nodes.ts';
import { youTubeAddress } from './service-address.ts';

/** The written address of a frame, film or sound; blank without one. */
export function writtenTarget(node: Element): string {
  const address = attribute(node, node.tagName === 'object' ? 'data' : 'src');
  // A frame that a script loads late.
  const lazy = attribute(node, 'dataSrc') || attribute(node, 'dataLazySrc');
  // The sources of a player. Players of the time of Flash were an `embed` in an `object`.
  const inner = find(
    node,
    (child) => ['source', 'embed', 'iframe'].includes(child.tagName) && attribute(child, 'src') !== '',
  );
  const film = find(node, (child) => child.tagName === 'param' && attribute(child, 'name') === 'movie');
  const written = [
    address === 'about:blank' ? '' : address,
    lazy,
    inner ? attribute(inner, 'src') : '',
    film ? attribute(film, 'value') : '',
  ];
  return written.find((candidate) => candidate !== '') ?? '';
}

/**
 * The page with the content of a frame: at another site, or a path of the frame's own site; null for any other frame.
 */
export function embedTarget(written: string): string | null {
  const address = watchAddress(written.startsWith('//') ? `https:${written}` : written.trim());
  if (address === '' || address.startsWith('#')) return null;
  if (/^[a-z][a-z0-9+.-]*:/i.test(address))
    return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
  return address;
}

// A player's address works in frames only, and people need the page.
function watchAddress(address: string): string {
  const youTube = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|v)\/([\w-]{6,}[^\s#]*)/i.exec(
    address,
  );
  if (youTube) return youTubeAddress(youTube[1]!);
  const pen = /^(https:\/\/codepen\.io\/[\w-]+)\/embed\/(?:preview\/)?(\w+)/i.exec(address);
  if (pen) return `${pen[1]}/pen/${pen[2]}`;
  const tube = /^(https:\/\/[^/]+)\/videos\/embed\/([\w-]{8,40})/i.exec(address);
  if (tube) return `${tube[1]}/w/${tube[2]}`;
  const toot = /^(https:\/\/[^/]+\/@[\w.@-]+\/\d+)\/embed/i.exec(address);
  if (toot) return toot[1]!;
  const vimeo = /^https?:\/\/player\.vimeo\.com\/video\/(\d+)/i.exec(address);
  return vimeo ? `https://vimeo.com/${vimeo[1]}` : address;
}

/** The address of a picture, also of one that a script loads late; blank without one. */
export function pictureAddress(node: Element): string {
  const src = attribute(node, 'src');
  if (src !== '' && !/^data:/i.test(src)) return src;
  const lazy = ['dataSrc', 'dataLazySrc', 'dataOriginal'].map((name) => attribute(node, name)).find(Boolean);
  const { srcSet } = node.properties;
  const first = String(Array.isArray(srcSet) ? (srcSet[0] ?? '') : (srcSet ?? '')).trim();
  return lazy ?? (src || first.split(/\s/)[0]!);
}
