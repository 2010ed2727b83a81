// A rebuild of the search index in a process of its own, to be killed: prints `ready` just before it begins and
// `done <milliseconds>` after it. Arguments: the batch size. The environment is a command's.
import { register } from 'tsx/esm/api';

register();
const { closeApp, createApp } = await import('#app/compose.server.ts');
const { parseEnv } = await import('#app/platform/env.server.ts');
const { reindexPosts } = await import('#app/search/reindex.server.ts');

const app = await createApp(parseEnv(process.env, 'command'), { logTo: 'stderr' });
await app.db.post.count();
process.stdout.write('ready\n');
const started = performance.now();
await reindexPosts(app, { batchSize: Number(process.argv[2]) });
process.stdout.write(`done ${Math.round(performance.now() - started)}\n`);
await closeApp(app);
