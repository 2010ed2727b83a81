import type { Settings } from './catalogue.ts';

/** The path of the list of posts: `/`, unless a page is the home page or the list has another address. */
export function postsPathOf({ home_page, posts_path }: Pick<Settings, 'home_page' | 'posts_path'>): string {
  return home_page !== '' && posts_path === '/' ? '/blog' : posts_path;
}
