import type { Settings } from './catalogue.ts';

/** Where the list of posts is: `/`, unless a page is the home or another address was chosen. */
export function postsPathOf({ home_page, posts_path }: Pick<Settings, 'home_page' | 'posts_path'>): string {
  return home_page !== '' && posts_path === '/' ? '/blog' : posts_path;
}
