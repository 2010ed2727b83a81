import { codeOf, messageOf } from '#app/platform/errors.ts';
import { startWebServer } from './server.ts';

try {
  const server = await startWebServer(process.env);
  const stop = (signal: string) => void server.stop(signal).then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Changes nothing: Node prints the error and ends the process.
  process.on('uncaughtExceptionMonitor', (error) => server.noteFailure(error));
} catch (error) {
  // `bin/start.mjs` reports a missing build before it loads this file.
  if (codeOf(error) === 'EMFILE') throw error;
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}
