import type { Named, PublicAuthor } from '#app/posts/lists/public-post.ts';
import { categoryPath, encodePath } from '#app/posts/paths.ts';
import { useSite } from '#app/site/shell/use-site.ts';

export function PostDate({ date }: { date: Date }) {
  return <time dateTime={date.toISOString()}>{useSite().longDate(date)}</time>;
}

/** All authors in order, each with a link to their page; a guest has none. */
export function AuthorLinks({ authors }: { authors: PublicAuthor[] }) {
  return authors.map((author) => (
    <span key={author.username ?? author.displayName} className="author">
      <AuthorLink author={author} />
    </span>
  ));
}

function AuthorLink({ author }: { author: PublicAuthor }) {
  const { prefix } = useSite();
  if (author.username === null) return author.displayName;
  return (
    <a href={encodePath(`${prefix}/authors/${author.username}`)} rel="author">
      {author.displayName}
    </a>
  );
}

export function CategoryLink({ category }: { category: Named }) {
  const { prefix } = useSite();
  return (
    <a className="category-link" href={encodePath(prefix + categoryPath(category.slug))}>
      {category.name}
    </a>
  );
}
