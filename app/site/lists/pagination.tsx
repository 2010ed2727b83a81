import { useSite } from '#app/site/shell/use-site.ts';

/** Links to the neighbouring pages. `hrefOf` gives the address of a page. */
export function Pagination({
  page,
  pageCount,
  hrefOf,
}: {
  page: number;
  pageCount: number;
  hrefOf: (page: number) => string;
}) {
  const { lists, post } = useSite().messages;
  if (pageCount <= 1) return null;
  return (
    <nav className="pagination" aria-label={lists.pages}>
      {page > 1 ? (
        <a className="pagination-newer" rel="prev" href={hrefOf(page - 1)}>
          <span aria-hidden="true">←</span> {post.newer}
        </a>
      ) : null}
      <span className="pagination-place">{lists.pageOf(page, pageCount)}</span>
      {page < pageCount ? (
        <a className="pagination-older" rel="next" href={hrefOf(page + 1)}>
          {post.older} <span aria-hidden="true">→</span>
        </a>
      ) : null}
    </nav>
  );
}
