// Whole tags only: an address inside a code sample is text and stays as it is.
const tag = /<(?:a|area|form)(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*\s*\/?>/gi;
const address = /(\s(?:href|action)=")([^"]*)"/gi;
/** What is no page: files, feeds and what machines read. */
const noPage =
  /^\/(?:(?:assets|uploads|theme|api|preview)(?:[/?#]|$)|[^?#]*\.(?:xml|json|txt|svg|ico)(?:[?#]|$))/;

/**
 * A public page whose links to other public pages stay below a prefix.
 * @param options.prefix where the pages are shown, without a slash at the end; `/` itself is at `<prefix>/`
 * @param options.origin the site's own, whose absolute links are links to it too
 */
export function withLinksInside(html: string, options: { prefix: string; origin: string }): string {
  return html.replace(tag, (markup) =>
    markup.replace(address, (whole, name: string, value: string) => {
      const path = ownPath(value, options.origin);
      return path === null || noPage.test(path) ? whole : `${name}${options.prefix}${path}"`;
    }),
  );
}

/** The path of an address of this site, as it is written; null for one elsewhere, and for one inside the page. */
function ownPath(value: string, origin: string): string | null {
  if (value === origin) return '/';
  const path = value.startsWith(`${origin}/`) ? value.slice(origin.length) : value;
  return /^\/(?![/\\])/.test(path) ? path : null;
}
