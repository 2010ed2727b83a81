// An import in a process of its own, to be killed: `ready` on stdout just before it begins, `done` after it.
// Arguments: the backup folder; where it kills itself: `files` (half of them copied), `rows` (all written, before their
// commit) or `commit` (just after it); nowhere without one. The environment is a command's.
import { closeApp, createApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';

const [inputDir, killAt] = process.argv.slice(2);
const app = await createApp(parseEnv(process.env, 'command'), { logTo: 'stderr' });
await app.db.post.count();

const arriveAt = (point) => {
  if (point === killAt) process.kill(process.pid, 'SIGKILL');
};
let areRowsWritten = false;
const onProgress = ({ step, done, total }) => {
  if (step === 'Copying media' && done === total / 2) arriveAt('files');
  if (step !== 'Writing rows' || done < total) return;
  areRowsWritten = true;
  arriveAt('rows');
};
const db = new Proxy(app.db, {
  get(target, name) {
    if (name !== '$transaction') return target[name];
    return async (...parameters) => {
      const value = await target.$transaction(...parameters);
      if (areRowsWritten) arriveAt('commit');
      return value;
    };
  },
});

process.stdout.write('ready\n');
const started = performance.now();
await importBackup({ ...app, db }, { inputDir, force: true, onProgress });
process.stdout.write(`done ${Math.round(performance.now() - started)}\n`);
await closeApp(app);
