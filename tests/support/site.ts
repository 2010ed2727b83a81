import { createTestApp, type TestApp } from './app.ts';
import { logInAsAdministrator } from './backend.ts';
import { atFileEnd } from './file-end.ts';
import type { Client } from './http-client.ts';
import { startServer, type TestServer } from './server.ts';

/** What most HTTP tests work on. */
export interface Site {
  app: TestApp;
  server: TestServer;
  /** A browser in which the administrator is logged in. */
  editor: Client;
}

const open = new Set<Site>();

/** Opens a site for all tests of a file; it ends with the file. */
export async function openSite(): Promise<Site> {
  const app = await createTestApp({ now: new Date() });
  const server = await startServer({ env: app.variables });
  const site = { app, server, editor: server.client() };
  open.add(site);
  await logInAsAdministrator(app, site.editor);
  return site;
}

atFileEnd(async () => {
  for (const { app, server } of open) {
    await server.stop();
    await app.close();
  }
  open.clear();
});
