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
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}
