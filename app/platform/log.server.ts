import pino, { type Logger } from 'pino';
import { codeOf } from './errors.ts';

export type Log = Logger;

/** Characters of log lines that wait for a disk to have space again. */
const UNWRITTEN_MAX = 1_000_000;

// Fields that never reach a log line.
const secrets = ['password', 'token', 'secret', 'email', 'authorization', 'cookie'];
const redact = secrets.flatMap((name) => [name, `*.${name}`]);

/**
 * Log lines on the given file descriptor (1 stdout for the server, 2 stderr for commands, whose stdout belongs to
 * the result): JSON, or, in development, a readable line. They never contain a secret, email address or token.
 */
export function createLog(level: string, descriptor: 1 | 2, options: { readable?: boolean } = {}): Log {
  const serializers = { err: errorFields, reason: scrubbed, path: scrubbedPath };
  const timestamp = pino.stdTimeFunctions.isoTime;
  const out = pino.destination({ fd: descriptor, sync: true, maxLength: UNWRITTEN_MAX });
  // A full disk must not end the process: lines wait, and further ones are dropped.
  out.on('error', () => {});
  const destination = options.readable ? { write: (line: string) => out.write(readableLine(line)) } : out;
  return pino({ level, base: undefined, timestamp, redact, serializers }, destination);
}

/**
 * The same log, for lines whose fields are known to contain no secret. Searching each line for secrets took two thirds
 * of the time of a line (measured), and a request that the page cache answers costs little else.
 */
export function requestLog(log: Log): Log {
  return log.child({}, { redact: [], serializers: { path: (path: unknown) => path } });
}

// Libraries attach queries, recipients and whole requests to their errors, so only these fields are logged.
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return scrubbed(error);
  const { name, message, stack, cause } = error;
  const code = codeOf(error);
  return {
    type: name,
    message: scrubbed(message),
    ...(typeof code === 'string' && { code }),
    stack: scrubbed(stack),
    ...(cause instanceof Error && { cause: scrubbed(`${cause.name}: ${cause.message}`) }),
  };
}

/** Removes email addresses and the passwords of URLs, which error messages quote. */
function scrubbed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replace(/:\/\/[^\s/@]+@/g, '://…@').replace(/[^\s<>"'`(),;:=/@]+@[^\s<>"'`(),;:=/@]+/g, '…@…');
}

/** A path without its query and tokens (of previews and of links in emails), as logs and traces may show it. */
export function shownPath(path: string): string {
  return scrubbedPath(path.replace(/^\/preview\/.+/, '/preview/…')) as string;
}

/** Removes tokens, which are long and, unlike slugs and ids, contain capitals. */
function scrubbedPath(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const path = value.replace(/[^/]{20,}/g, (segment) => (/[A-Z]/.test(segment) ? '…' : segment));
  return scrubbed(path.replace(/%40/gi, '@'));
}

const labels: Record<number, string> = pino.levels.labels;

/** `08:00:00.123 WARN  What happened reason="…" ms=12`, an error's stack below it. */
function readableLine(line: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as {
    level: number;
    time: string;
    msg?: string;
    err?: { stack?: string };
    [field: string]: unknown;
  };
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const label = (labels[level] ?? '').toUpperCase().padEnd(5);
  const stack = err?.stack ? `\n${err.stack}` : '';
  return `${time.slice(11, 23)} ${label} ${msg ?? ''}${rest.join('')}${stack}\n`;
}
