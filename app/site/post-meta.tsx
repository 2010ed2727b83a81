import { categoryPath, encodePath } from '#app/posts/paths.ts';
import type { Named, PublicAuthor } from '#app/posts/public-post.ts';
import { useSite } from './use-site.ts';

export function PostDate({ date }: { date: Date }) {
  return <time dateTime={date.toISOString()}>{useSite().longDate(date)}</time>;
}

export function AuthorLink({ author }: { author: PublicAuthor }) {
  return (
    <a href={encodePath(`/authors/${author.username}`)} rel="author">
      {author.displayName}
    </a>
  );
}

export function CategoryLink({ category }: { category: Named }) {
  return (
    <a className="category-link" href={encodePath(categoryPath(category.slug))}>
      {category.name}
    </a>
  );
}
