// A rebuild of the search index in a process of its own, to be killed: prints `ready` just before it begins and
// `done <milliseconds>` after it. Arguments: the batch size; where it kills itself: `batch` (before the third one),
// `finish` (after the last one), `swap` (before it) or `swapped` (just after it); nowhere without one. The environment
// is a command's.
import { closeApp, createApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';

const [batchSize, killAt] = process.argv.slice(2);
const app = await createApp(parseEnv(process.env, 'command'), { logTo: 'stderr' });
await app.db.post.count();

const arriveAt = (point) => {
  if (point === killAt) process.kill(process.pid, 'SIGKILL');
};
const beginBuild = async () => {
  const build = await app.search.beginBuild();
  let batches = 0;
  return {
    ...build,
    add(documents) {
      if (++batches === 3) arriveAt('batch');
      return build.add(documents);
    },
    finish() {
      arriveAt('finish');
      return build.finish();
    },
    async swap() {
      arriveAt('swap');
      await build.swap();
      arriveAt('swapped');
    },
  };
};

process.stdout.write('ready\n');
const started = performance.now();
await reindexPosts({ ...app, search: { ...app.search, beginBuild } }, { batchSize: Number(batchSize) });
process.stdout.write(`done ${Math.round(performance.now() - started)}\n`);
await closeApp(app);
