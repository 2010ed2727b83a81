// An edit in a process of its own, which stops itself (SIGSTOP) just before or after its drain writes to the
// search engine. Prints `stopping` before that, `done` at the end.
// Arguments: post id, new body, `before` or `after`. The environment is a command's.
import { closeApp, createApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { drainOutbox } from '#app/search/drain.server.ts';

const [postId, body, when] = process.argv.slice(2);
const app = await createApp(parseEnv(process.env, 'command'), { logTo: 'stderr', workers: 'inline' });
const { upsert } = app.search;
let stopped = false;
const stopOnce = () => {
  if (stopped) return;
  stopped = true;
  process.stdout.write('stopping\n');
  process.kill(process.pid, 'SIGSTOP');
};
app.search.upsert = async (documents, call) => {
  if (when === 'before') stopOnce();
  const refused = await upsert(documents, call);
  if (when === 'after') stopOnce();
  return refused;
};
await editPost(app, { postId, intent: 'save', fields: { body }, editorId: null });
// On a very busy machine the engine may have been too slow for a save.
if (!stopped) await drainOutbox(app, 'command');
await closeApp(app);
process.stdout.write('done\n');
