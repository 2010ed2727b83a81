// An import in a process of its own, to be killed: `ready` on stdout just before it begins, `done` after it.
// Arguments: the backup folder. The environment is a command's.
import { register } from 'tsx/esm/api';

register();
const { closeApp, createApp } = await import('#app/compose.server.ts');
const { parseEnv } = await import('#app/platform/env.server.ts');
const { importBackup } = await import('#app/backup/import-backup.server.ts');

const app = await createApp(parseEnv(process.env, 'command'), { logTo: 'stderr' });
await app.db.post.count();
process.stdout.write('ready\n');
const started = performance.now();
await importBackup(app, { inputDir: process.argv[2], force: true });
process.stdout.write(`done ${Math.round(performance.now() - started)}\n`);
await closeApp(app);
