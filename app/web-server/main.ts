import { messageOf } from '#app/platform/errors.ts';
import { keepHeapSmall } from './v8-flags.ts';
import { startWebServer } from './server.ts';

keepHeapSmall();
try {
  const server = await startWebServer(process.env);
  const stop = () => void server.stop().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  // `bin/start.mjs` explains this one: it can come before any of this is loaded.
  if ((error as { code?: unknown }).code === 'EMFILE') throw error;
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}
