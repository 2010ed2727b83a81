// Starts a worker thread or process from source, in development and in tests. The built server has a bundle for
// workers.
import { register } from 'tsx/esm/api';

register();
await import('../app/workers/worker.server.ts');
