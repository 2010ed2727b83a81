import { encodePath } from '#app/posts/paths.ts';
import type { Topic } from '#app/taxonomy/queries.server.ts';
import { useSite } from './use-site.ts';

/** All categories, or all tags, with how much there is in each. */
export function TopicsPage({
  heading,
  topics,
  pathOf,
}: {
  heading: string;
  topics: Topic[];
  pathOf: (slug: string) => string;
}) {
  const { lists } = useSite().messages;
  return (
    <div className="list-page">
      <header className="page-heading">
        <h1>{heading}</h1>
      </header>
      {topics.length === 0 ? <p className="empty">{lists.empty}</p> : null}
      <ul className="topics">
        {topics.map(({ id, slug, name, description, postCount }) => (
          <li key={id}>
            <a href={encodePath(pathOf(slug))}>{name}</a>{' '}
            <span className="count">{lists.count(postCount)}</span>
            {description ? <p>{description}</p> : null}
          </li>
        ))}
      </ul>
    </div>
  );
}
