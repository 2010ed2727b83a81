import type { Settings } from './catalogue.ts';

/** The path of the list of posts: `/`, unless a page is the home page or the list has another address. */
export function postsPathOf({ home_page, posts_path }: Pick<Settings, 'home_page' | 'posts_path'>): string {
  return home_page !== '' && posts_path === '/' ? '/blog' : posts_path;
}

/**
 * The redirect of `/` after the list of posts has moved; null if `/` shows the home page or the list.
 * @param hasHome true if the page that is the home is public; `isLater` for a request with `?page=`
 */
export function redirectOfHome(
  settings: Pick<Settings, 'home_page' | 'posts_path'>,
  { hasHome, isLater }: { hasHome: boolean; isLater: boolean },
): string | null {
  const postsPath = postsPathOf(settings);
  if (postsPath === '/') return null;
  if (hasHome) return isLater ? postsPath : null;
  return settings.home_page === '' ? postsPath : null;
}
