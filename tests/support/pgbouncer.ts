import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { vi } from 'vitest';
import { atFileEnd } from './file-end.ts';
import { freePort } from './free-port.ts';
import { tempFolder } from './temp-folder.ts';

const closers: (() => unknown)[] = [];
atFileEnd(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const program = '/usr/sbin/pgbouncer';

/** True where Debian's `pgbouncer` is installed. */
export const hasPgBouncer = existsSync(program);

/** PgBouncer refuses to run as root; 65534 is `nobody`. */
const NOBODY = 65_534;

/**
 * Starts PgBouncer in transaction mode in front of a database, with the settings that docs/operations/scaling.md names.
 * @returns the address of the database through it
 */
export async function startPgBouncer(databaseUrl: string): Promise<string> {
  const target = new URL(databaseUrl);
  const [folder, port] = [await tempFolder(), await freePort()];
  const database = target.pathname.slice(1);
  const file = path.join(folder, 'pgbouncer.ini');
  const users = path.join(folder, 'users.txt');
  await writeFile(users, `"${target.username}" "${target.password}"\n`);
  await writeFile(
    file,
    `[databases]
${database} = host=${target.hostname} port=${target.port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = 5
ignore_startup_parameters = extra_float_digits,idle_in_transaction_session_timeout
`,
  );
  const asNobody = process.getuid?.() === 0;
  if (asNobody) for (const name of [folder, file, users]) await chown(name, NOBODY, NOBODY);
  await chmod(folder, 0o755);
  const child = spawn(program, [file], {
    stdio: 'ignore',
    ...(asNobody ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  closers.push(() => void child.kill('SIGKILL'));
  target.port = String(port);
  await vi.waitFor(
    async () => {
      const client = new pg.Client({ connectionString: target.href });
      await client.connect();
      await client.end();
    },
    { timeout: 20_000 },
  );
  return target.href;
}
