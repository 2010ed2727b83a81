import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequestHandler, type ServerBuild } from '@remix-run/node';
import type { Plugin, ViteDevServer } from 'vite';

/**
 * Serves the addresses that settings and pages give (pages, lists at their configured path, other languages) under
 * `npm run dev`, where the production server does not run. Runs before Remix's plugin, which answers everything else.
 */
export function siteAddressesInDevelopment(): Plugin {
  return {
    name: 'dateline-site-addresses',
    configureServer: (vite) => () => {
      vite.middlewares.use((request, response, next) => {
        answerSiteAddress(vite, request, response).then((isAnswered) => {
          if (!isAnswered) next();
        }, next);
      });
    },
  };
}

async function answerSiteAddress(
  vite: ViteDevServer,
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const load = <Module>(file: string) => vite.ssrLoadModule(file) as Promise<Module>;
  // Loaded like the routes, so that both share one app.
  const { appOf } = await load<typeof import('#app/compose.server.ts')>('/app/compose.server.ts');
  const { routeOf } = await load<typeof import('#app/posts/addresses/find-address.server.ts')>(
    '/app/posts/addresses/find-address.server.ts',
  );
  const app = await appOf({});
  const route = await routeOf(app, request.originalUrl ?? '/');
  if ('redirect' in route) {
    response.writeHead(301, { Location: route.redirect }).end();
    return true;
  }
  if (!route.place) return false;
  const build = await load<ServerBuild>('virtual:remix/server-build');
  const handler = createRequestHandler(build, 'development');
  const page = await handler(new Request(app.env.siteUrl + route.address), { place: route.place });
  response.writeHead(page.status, Object.fromEntries(page.headers));
  response.end(request.method === 'HEAD' ? undefined : Buffer.from(await page.arrayBuffer()));
  return true;
}
