import { data, redirect, type AppLoadContext, type LoaderFunction, type ServerBuild } from '@remix-run/node';
import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { createRenderPublicPage } from '#app/web/pages/public-pages.ts';

/** The answer of a small site whose archive has this loader, what its routes read, and how often the loader ran. */
async function answerOf(load: LoaderFunction, context: AppLoadContext = {}) {
  let runs = 0;
  const loader: LoaderFunction = (args) => {
    runs += 1;
    return load(args);
  };
  const page = () => null;
  const routes = {
    root: { id: 'root', path: '', module: { default: page, loader: () => ({ site: 'one' }) } },
    archive: {
      id: 'archive',
      parentId: 'root',
      path: 'archive',
      module: { default: page, loader, headers: () => ({ 'Cache-Control': 'public, no-cache' }) },
    },
    other: { id: 'other', parentId: 'root', path: 'other', module: { default: page } },
  };
  let shown: string[] = [];
  const build = {
    routes,
    assets: { routes: {} },
    future: { v3_singleFetch: true },
    entry: {
      module: {
        default: (
          _: Request,
          status: number,
          headers: Headers,
          entry: { routeModules: object; staticHandlerContext: { loaderData: object } },
        ) => {
          shown = Object.keys(entry.routeModules);
          return new Response(JSON.stringify(entry.staticHandlerContext.loaderData), { status, headers });
        },
        handleError: () => undefined,
      },
    },
  } as unknown as ServerBuild;
  const app = { env: { siteUrl: 'http://localhost' } } as App;
  const response = await createRenderPublicPage(build)('/archive?page=2', { ...context, app });
  return { response, text: await response.text(), shown, runs };
}

it('a page is rendered by Remix with the routes of its branch, and its loader runs once', async () => {
  const { response, text, shown, runs } = await answerOf(({ request }) => ({ asked: request.url }));
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
  expect(JSON.parse(text)).toEqual({
    root: { site: 'one' },
    archive: { asked: 'http://localhost/archive?page=2' },
  });
  expect([shown, runs]).toEqual([['root', 'archive'], 1]);
});

it('the loaders get the context', async () => {
  const place = { listedIn: 'de', path: '/de/archive' };
  const { text } = await answerOf(({ context }) => ({ place: context.place }), { place });
  expect(JSON.parse(text)).toMatchObject({ archive: { place } });
});

it.each<[string, LoaderFunction, number]>([
  ['a redirect', () => redirect('/new', 301), 301],
  [
    'what is not found',
    () => {
      throw data({}, { status: 404 });
    },
    404,
  ],
  [
    'a failure',
    () => {
      throw new Error('The database is gone.');
    },
    500,
  ],
  ['a status of a loader', () => data({}, { status: 203 }), 203],
])('%s has its status, and the loader runs once', async (_, load, status) => {
  const { response, runs } = await answerOf(load);
  expect([response.status, runs]).toEqual([status, 1]);
});
