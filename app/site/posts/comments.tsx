import type { PublicComment } from '#app/posts/lists/comments.server.ts';
import { useSite } from '#app/site/shell/use-site.ts';

/** The comments that were imported with a post, in threads; nothing without comments. */
export function Comments({ threads }: { threads: PublicComment[] }) {
  const { messages } = useSite();
  if (threads.length === 0) return null;
  return (
    <section className="comments" aria-labelledby="comments">
      <h2 id="comments">{messages.post.comments(count(threads))}</h2>
      <Thread comments={threads} />
    </section>
  );
}

function Thread({ comments }: { comments: PublicComment[] }) {
  const { messages, longDate } = useSite();
  return (
    <ol>
      {comments.map(({ id, name, html, writtenAt, answers }) => (
        <li key={id} id={`comment-${id}`}>
          <p className="comment-byline">
            <cite>{name || messages.post.anonymous}</cite>
            <time dateTime={writtenAt.toISOString()}>{longDate(writtenAt)}</time>
          </p>
          <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
          {answers.length > 0 ? <Thread comments={answers} /> : null}
        </li>
      ))}
    </ol>
  );
}

function count(comments: PublicComment[]): number {
  return comments.reduce((sum, { answers }) => sum + 1 + count(answers), 0);
}
