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
