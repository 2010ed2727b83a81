import { adminUrl } from '#app/admin/admin-url.ts';
import { Notices } from '#app/admin/notices.tsx';
import type { ActionResult, Frame } from '#app/admin/screen.ts';
import { TopicFields } from './topic-fields.tsx';
import { topicWords } from './topic-words.ts';
import type { TopicsData } from './topics.server.ts';

/** All categories, or all tags, with the form for a new one. */
export default function Topics({
  data,
  result,
  frame,
}: {
  data: TopicsData;
  result: ActionResult | undefined;
  frame: Frame;
}) {
  const words = topicWords[data.kind];
  return (
    <>
      <div className="page-head">
        <h1>{words.title}</h1>
      </div>
      <Notices saved={data.deleted ? `The ${words.one} is gone.` : null} result={result} />
      <div className="beside">
        <div className="scroll">
          {data.topics.length === 0 ? <p className="empty">There are none yet.</p> : null}
          {data.topics.length > 0 ? (
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Slug</th>
                  <th scope="col" className="number">
                    Published
                  </th>
                  <th scope="col" className="number">
                    Posts
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.topics.map((topic) => (
                  <tr key={topic.id}>
                    <th scope="row">
                      <a href={adminUrl(frame.adminPath, words.segment, topic.id)}>{topic.name}</a>
                    </th>
                    <td>{topic.slug}</td>
                    <td className="number">{topic.published}</td>
                    <td className="number">{topic.posts}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : null}
        </div>
        <form method="post" className="panel">
          <h2>New {words.one}</h2>
          <TopicFields values={result?.values ?? {}} errors={result?.errors ?? {}} />
          <button className="primary" name="intent" value="save">
            Create
          </button>
        </form>
      </div>
    </>
  );
}
