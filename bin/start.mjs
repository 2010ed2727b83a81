// `npm start`: the production server in the environment that it is given. It does not read `.env.local`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

process.env.NODE_ENV ??= 'production';
const server = path.resolve(import.meta.dirname, '../build/web-server.js');
if (!existsSync(server)) {
  process.stderr.write('There is no build yet. Run: npm run build\n');
  process.exit(1);
}
await import(pathToFileURL(server).href);
