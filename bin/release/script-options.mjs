// Options of the scripts that run before anything is installed or built.
import { parseArgs } from 'node:util';

/** Exits with 2 for an unknown option, or one without its value. */
export function readOptions(options, usage) {
  try {
    return parseArgs({ options, allowPositionals: false }).values;
  } catch (error) {
    process.stderr.write(`${usage}\n\n${error.message.split('\n')[0]}\n`);
    process.exit(2);
  }
}

/** Ends a script as commands end: one line, no stack trace. */
export function fail(error) {
  const [line] = String(error?.message ?? error).split('\n');
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

export function report(text) {
  process.stderr.write(`• ${text}\n`);
}
