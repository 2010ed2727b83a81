import pino, { type Logger } from 'pino';

export type Log = Logger;

// Anything under these names never reaches a log line.
const redact = [
  'password',
  'token',
  'secret',
  'email',
  'authorization',
  'cookie',
  '*.password',
  '*.token',
  '*.secret',
  '*.email',
  '*.authorization',
  '*.cookie',
];

/**
 * JSON lines on the given file descriptor (1 stdout for the server, 2 stderr for commands, whose
 * stdout belongs to the result).
 */
export function createLog(level: string, descriptor: 1 | 2): Log {
  return pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, redact },
    pino.destination({ fd: descriptor, sync: true }),
  );
}
