import type { Heading } from '#app/posts/lists/public-post.ts';
import { useSite } from '#app/site/shell/use-site.ts';

/** A shorter post needs no table of contents. */
const LONG_POST_WORDS = 600;
const MIN_HEADINGS = 3;

/** Links to the two upper levels of headings; nothing for short posts. */
export function TableOfContents({ headings, wordCount }: { headings: Heading[]; wordCount: number }) {
  const { post } = useSite().messages;
  // Authors skip levels: the two uppermost levels that the post has count.
  const [top, second = top] = [...new Set(headings.map(({ depth }) => depth))].sort((a, b) => a - b);
  const shown = headings.filter(({ depth }) => depth === top || depth === second);
  if (shown.length < MIN_HEADINGS || wordCount < LONG_POST_WORDS) return null;
  return (
    <nav className="contents" aria-label={post.contents}>
      <details>
        <summary>{post.contents}</summary>
        <ol>
          {shown.map(({ id, depth, text }) => (
            <li key={id} className={depth === top ? undefined : 'contents-inner'}>
              <a href={`#${encodeURIComponent(id)}`}>{text}</a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}
