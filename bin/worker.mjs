// Starts a worker thread or process from source, in development and tests. The built server bundles its workers.
import { register } from 'tsx/esm/api';

register();
await import('../app/web/worker.server.ts');
