/** Icons of the services that people link to, drawn here: no request and no font. */
const paths = {
  rss: 'M5 3v3a13 13 0 0 1 13 13h3A16 16 0 0 0 5 3zm0 6v3a7 7 0 0 1 7 7h3A10 10 0 0 0 5 9zm2 6a2.2 2.2 0 1 0 0 4.4A2.2 2.2 0 0 0 7 15z',
  mail: 'M3 5h18v14H3zm2 2.4V17h14V7.4l-7 5.2z',
  mastodon:
    'M12 2C7 2 4 4 4 8v5c0 5 3 8 8 8 2 0 4-.5 4-.5v-2s-2 .6-4 .6c-2.600 0-4-.8-4.200-2.600 0 0 2 .5 4.200.500 4 0 8-.8 8-5V8c0-4-3-6-8-6zM8 7c1 0 1.700.5 2 1.300V12H8.500V9c0-1-1.500-1-1.500 0v4H5.500V9C5.500 7.800 6.500 7 8 7zm8 0c1.500 0 2.500.8 2.500 2v4H17V9c0-1-1.500-1-1.500 0v3H14V8.300C14.300 7.500 15 7 16 7z',
  bluesky:
    'M12 10.500C11 8.500 8 5 5.500 3.400 3.500 2.200 2 2.800 2 5c0 1 .5 6 1 7 .9 2 3 2.500 5 2.300-3 .5-5 1.700-2.500 4.300 3 3 5.500-.5 6.500-3 1 2.500 3.500 6 6.500 3 2.500-2.600.5-3.800-2.500-4.300 2 .2 4.100-.3 5-2.300.5-1 1-6 1-7 0-2.200-1.500-2.800-3.500-1.600C16 5 13 8.500 12 10.500z',
  github:
    'M12 2a10 10 0 0 0-3.200 19.500c.5.100.7-.2.7-.5v-1.900c-2.800.6-3.400-1.200-3.400-1.200-.4-1.100-1.100-1.500-1.100-1.500-.9-.6.100-.6.100-.6 1 .100 1.500 1 1.500 1 .9 1.600 2.400 1.100 2.900.9.100-.7.400-1.100.6-1.400-2.200-.2-4.500-1.100-4.500-4.900 0-1.100.4-2 1-2.700-.1-.3-.4-1.300.1-2.700 0 0 .8-.3 2.700 1a9.400 9.400 0 0 1 5 0c1.900-1.300 2.700-1 2.700-1 .5 1.400.2 2.400.1 2.700.6.7 1 1.600 1 2.700 0 3.800-2.300 4.700-4.500 4.900.4.300.7.9.7 1.900v2.800c0 .3.2.6.7.5A10 10 0 0 0 12 2z',
  youtube:
    'M22 8.200C22 6 20.500 5 18 5H6C3.500 5 2 6 2 8.200v7.600C2 18 3.500 19 6 19h12c2.500 0 4-1 4-3.200zM10 15.500v-7l6 3.500z',
  instagram:
    'M7 2h10a5 5 0 0 1 5 5v10a5 5 0 0 1-5 5H7a5 5 0 0 1-5-5V7a5 5 0 0 1 5-5zm0 2a3 3 0 0 0-3 3v10a3 3 0 0 0 3 3h10a3 3 0 0 0 3-3V7a3 3 0 0 0-3-3zm5 3a5 5 0 1 1 0 10 5 5 0 0 1 0-10zm0 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  linkedin:
    'M3 9h4v12H3zm2-6a2.200 2.200 0 1 1 0 4.400A2.200 2.200 0 0 1 5 3zm4 6h4v1.700c.6-1 2-2 4-2 3.500 0 4 2.300 4 5.300v7h-4v-6.500c0-1.500-.3-2.800-2-2.800s-2 1.300-2 2.800V21H9z',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4.200 4.200 0 0 0-6-6l-1.500 1.500 1.500 1.400 1.400-1.400a2.200 2.200 0 0 1 3.200 3.100l-3 3a2 2 0 0 1-3-.200zm4-4a4 4 0 0 0-6-.4l-3 3a4.200 4.200 0 0 0 6 6l1.500-1.500-1.500-1.400L9.600 17a2.200 2.200 0 0 1-3.200-3.100l3-3a2 2 0 0 1 3 .200z',
} as const;

const hosts: [RegExp, keyof typeof paths, string][] = [
  [/^mailto:/, 'mail', 'Email'],
  [/(^|\/)(rss\.xml|atom\.xml|feed\.json)$/, 'rss', 'RSS'],
  [/^https?:\/\/(www\.)?github\.com\//, 'github', 'GitHub'],
  [/^https?:\/\/(www\.)?bsky\.app\//, 'bluesky', 'Bluesky'],
  [/^https?:\/\/(www\.)?youtube\.com\//, 'youtube', 'YouTube'],
  [/^https?:\/\/(www\.)?instagram\.com\//, 'instagram', 'Instagram'],
  [/^https?:\/\/([a-z]+\.)?linkedin\.com\//, 'linkedin', 'LinkedIn'],
  [/^https?:\/\/[^/]+\/@[\w.-]+\/?$/, 'mastodon', 'Mastodon'],
];

/** Links as icons; blank ones are left out. */
export function SocialLinks({ links }: { links: string[] }) {
  const shown = links.filter(Boolean);
  if (shown.length === 0) return null;
  return (
    <ul className="social-links">
      {shown.map((href) => (
        <li key={href}>
          <SocialLink href={href} />
        </li>
      ))}
    </ul>
  );
}

/** A link as an icon. Its name is for people who do not see the icon. */
function SocialLink({ href }: { href: string }) {
  const [, icon, name] = hosts.find(([pattern]) => pattern.test(href)) ?? [
    null,
    'link' as const,
    hostOf(href),
  ];
  return (
    <a className="social-link" rel={/^https?:/.test(href) ? 'me external noopener' : undefined} href={href}>
      <svg
        viewBox="0 0 24 24"
        width="20"
        height="20"
        aria-hidden="true"
        fill="currentColor"
        fillRule="evenodd"
      >
        <path d={paths[icon]} />
      </svg>
      <span className="sr-only">{name}</span>
    </a>
  );
}

function hostOf(href: string): string {
  return URL.canParse(href) ? new URL(href).hostname.replace(/^www\./, '') : href;
}
