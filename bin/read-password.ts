import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';
import { UsageError } from './arguments.ts';

/** Reading stops after this many bytes: no password is that long. */
const BYTES_MAX = 1_024;

/**
 * Reads a password from standard input: a hidden prompt on a terminal, otherwise the first line.
 * @param waitMs how long to wait for the first byte if the input is not a terminal; absent: no limit
 * @returns `''` when nothing was typed or sent
 */
export function readPassword(waitMs?: number): Promise<string> {
  return process.stdin.isTTY ? promptHidden() : firstLine(process.stdin, waitMs);
}

async function firstLine(input: Readable, waitMs: number | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    const timer = waitMs === undefined ? undefined : setTimeout(resolve, waitMs);
    input.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      chunks.push(chunk);
      bytes += chunk.length;
      if (chunk.includes('\n') || bytes > BYTES_MAX) resolve();
    });
    input.once('end', () => {
      clearTimeout(timer);
      resolve();
    });
    input.once('error', reject);
  });
  // An open pipe would keep the process alive.
  input.destroy();
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    return text.split(/\r?\n/, 1)[0] ?? '';
  } catch {
    throw new UsageError('The password on standard input is not UTF-8 text.');
  }
}

function promptHidden(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  // The terminal shows what is typed until the interface above stops that.
  process.stderr.write('Password (not shown): ');
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('SIGINT', () => {
      lines.close();
      process.kill(process.pid, 'SIGINT');
    });
    // Ctrl+D, or the terminal has closed.
    lines.once('close', () => {
      process.stderr.write('\n');
      resolve('');
    });
  });
}
