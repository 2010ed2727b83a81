import { serviceAddress, youTubeAddress } from '#app/import/html/service-address.ts';
import { attributesOf } from './shortcode-attributes.ts';

const services =
  /\[(youtube|vimeo|dailymotion|soundcloud|spotify|ted|gist|tweet|instagram|flickr|wpvideo|videopress)([\s=][^[\]]*)?\]/gi;

/** Replaces shortcodes of WordPress.com and Jetpack by addresses in separate paragraphs, which are embeds. */
export function expandServices(html: string): string {
  return html.replace(services, (whole: string, name: string, written = '') => {
    const address = addressOf(name.toLowerCase(), written as string);
    return address === null ? whole : `\n\n${address.replaceAll('&', '&amp;')}\n\n`;
  });
}

/** @param written what follows the name: `=https://…`, ` 123 w=640`, ` url="…"` */
function addressOf(name: string, written: string): string | null {
  const text = written.replaceAll('&amp;', '&').replaceAll('&#038;', '&');
  const [url] = /https?:\/\/[^\s"'<\]]+/.exec(text) ?? [];
  const film = /(?:[?&]v=|youtu\.be\/|\/embed\/)([\w-]{6,})/.exec(url ?? '')?.[1];
  if (name === 'youtube' && film !== undefined) return youTubeAddress(film);
  // What follows the first `&` are the player's settings.
  if (url !== undefined) return name === 'vimeo' ? url.replace(/&.*/, '') : url;
  const named = attributesOf(text);
  const [first = ''] = /^[\s=]*([\w-]+)(?=[\s&]|$)/.exec(text)?.slice(1) ?? [];
  const id = named.id ?? first;
  if (id === '') return null;
  if (name === 'dailymotion') return `https://www.dailymotion.com/video/${id}`;
  if (name === 'wpvideo' || name === 'videopress') return `https://videopress.com/v/${id}`;
  return serviceAddress(name, { named, plain: [id] });
}
