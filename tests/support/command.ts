import path from 'node:path';
import { startScript, type ScriptOptions } from './child-process.ts';

export interface CommandResult {
  /** Exit code; null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
  /** stdout read as JSON. @throws when it is not exactly one JSON document. */
  json<T = Record<string, unknown>>(): T;
}

/** `env`: the whole environment besides the system's own variables; nothing of the shell's is in it. */
export interface CommandOptions extends ScriptOptions {
  /** The folder to run in, instead of the project's: a copy of what `npm run build` writes. */
  folder?: string;
  /** Sent after that many milliseconds. */
  killAfter?: { milliseconds: number; signal: NodeJS.Signals };
}

/** Runs an operator command as `npm run -s <args>` would, as a child process. */
export async function runCommand(args: string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { folder, killAfter } = options;
  const inFolder = folder === undefined ? options : { ...options, cwd: folder };
  const script = startScript(path.resolve(folder ?? '', 'bin/run.mjs'), args, inFolder);
  const timer = killAfter && setTimeout(() => script.child.kill(killAfter.signal), killAfter.milliseconds);
  const code = await script.ended;
  clearTimeout(timer);
  const [stdout, stderr] = [script.stdout(), script.stderr()];
  return { code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T };
}
