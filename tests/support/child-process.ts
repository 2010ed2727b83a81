import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { environmentSchema } from '#app/platform/env.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { atFileEnd } from './file-end.ts';

/** A node script of the project as a child process, with what it has printed so far. */
export interface RunningScript {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Exit code, or null when a signal ended it. Waits for its output too. */
  ended: Promise<number | null>;
}

export interface ScriptOptions {
  /** Options for Node itself. */
  nodeOptions?: string[];
  env?: Record<string, string>;
  cwd?: string;
  /** What it reads from standard input; absent: nothing, `'open'`: a pipe that never ends. */
  input?: string | 'open';
  /** A program that runs it, with its arguments, such as strace. */
  under?: string[];
  /** Bytes beyond which no file of the process may grow: a disk that gets full. */
  fileSizeMax?: number;
}

const running = new Set<ChildProcess>();
// Kills what a failed test left running, at the end of the test file.
atFileEnd(() => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Starts a script whose environment contains only the given variables and the system's own.
 * @param script its path, counted from the project's folder
 */
export function startScript(script: string, args: string[], options: ScriptOptions = {}): RunningScript {
  const { fileSizeMax, nodeOptions = [], under = [] } = options;
  const node = [...under, process.execPath, ...nodeOptions, path.resolve(projectRoot, script), ...args];
  // POSIX counts the limit in blocks of 512 bytes; `exec` keeps the process id.
  const limited = [
    'sh',
    '-c',
    `ulimit -f ${Math.floor((fileSizeMax ?? 0) / 512)} && exec "$0" "$@"`,
    ...node,
  ];
  const [command, ...rest] = fileSizeMax === undefined ? node : limited;
  const { input } = options;
  const child: ChildProcessWithoutNullStreams = spawn(command!, rest, {
    cwd: options.cwd ?? projectRoot,
    env: { ...bareEnvironment(), ...options.env } as NodeJS.ProcessEnv,
  });
  // The script may end before it has read everything.
  child.stdin.on('error', () => {});
  if (input !== 'open') child.stdin.end(input);
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += String(chunk)));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += String(chunk)));
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

// The variables are set but empty. So `.env.local` cannot fill them, and they read as missing.
function bareEnvironment(): Record<string, string> {
  const names = Object.keys(environmentSchema.shape).filter((name) => name !== 'NODE_ENV');
  const blank = Object.fromEntries(names.map((name) => [name, '']));
  const system = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SystemRoot', 'TEMP', 'NODE_OPTIONS'];
  const kept = system.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  return { ...blank, ...(Object.fromEntries(kept) as Record<string, string>) };
}
