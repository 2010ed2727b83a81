import { messageOf } from '#app/platform/errors.ts';
import type { Configured, Db } from '#app/platform/services.ts';
import { inspectSearchFile } from '#app/search/embedded/file.server.ts';
import type { EngineHealth, Searched } from '#app/search/engine.ts';
import { ok, type Finding, problem, warning } from './finding.ts';

const advice: Partial<Record<EngineHealth, string>> = {
  unauthorized: 'The search engine refuses writes with this key. Correct SEARCH_API_KEY.',
  out_of_disk: 'The search engine has no room on its disk. Searches work, changes wait. Make room there.',
  out_of_memory: 'The search engine has no memory left. Searches work, changes wait. Give it more.',
};

/** Whether the search engine answers, has an index, and follows the changes. */
export async function checkSearch(app: Db & Searched & Configured): Promise<Finding> {
  const { search } = app.env;
  let health: EngineHealth;
  try {
    if (search.kind === 'embedded') {
      const state = await inspectSearchFile(search.file);
      if (typeof state === 'object') return problem(state.problem);
      health = state;
    } else health = await app.search.health();
  } catch (error) {
    const reason = messageOf(error);
    // Most reasons say themselves what to do.
    if (/SEARCH_|^The search file/.test(reason)) return problem(reason);
    return problem(`${reason.replace(/\.$/, '')}. Check that it runs, SEARCH_HOST and SEARCH_API_KEY.`);
  }
  if (health === 'missing') {
    const published = await app.db.post.findFirst({ where: { status: 'published' }, select: { id: true } });
    return published
      ? problem('There is no search index. Run npm run search:reindex-posts.')
      : ok('No post is published yet; the first trigger makes the index.');
  }
  const message = advice[health];
  if (message) return problem(message);
  const waiting = await app.db.searchOutbox.count({ where: { attempts: { gt: 3 } } });
  if (waiting > 0)
    return warning(
      `${waiting} changes wait for the index after several tries. Run npm run search:check-index.`,
    );
  return ok('The search engine answers.');
}
