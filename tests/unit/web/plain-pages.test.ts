import { data, redirect, type LoaderFunction, type ServerBuild } from '@remix-run/node';
import { expect, it } from 'vitest';
import { branchHandlers } from '#app/web/pages/route-branches.ts';

const url = new URL('http://localhost/archive');

/** The one answer of a small site whose archive has this loader, and how often that one ran. */
async function answerOf(load: LoaderFunction, more: object = {}) {
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
      module: { default: page, loader, ...more },
    },
  };
  const build = {
    routes,
    assets: { routes: {} },
    future: { v3_singleFetch: true },
    entry: {
      module: {
        default: (_: Request, status: number, headers: Headers) => new Response('Remix', { status, headers }),
        handleError: () => undefined,
        renderPlainPage: async (_: string, context: { staticHandlerContext: { loaderData: object } }) =>
          JSON.stringify(context.staticHandlerContext.loaderData),
      },
    },
  } as unknown as ServerBuild;
  const { answer, renderPlain } = branchHandlers(build)(url.pathname);
  const [request, context] = [new Request(url), {}];
  const rendered = (await renderPlain?.(url, request, context)) ?? null;
  const plain = rendered === 'missing' ? null : rendered;
  const remix = plain ? null : await answer(request, context);
  return { plain, text: plain?.body.toString(), remix, runs };
}

it('a page without scripts is rendered from what its loaders read', async () => {
  const { plain, text, runs } = await answerOf(() => ({ posts: 3 }));
  expect(plain).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect([text, runs]).toEqual(['{"root":{"site":"one"},"archive":{"posts":3}}', 1]);
});

it('it carries the headers of its route, and data that a loader gave no status or header', async () => {
  const headers = () => ({ 'Cache-Control': 'public, no-cache' });
  const { plain, text } = await answerOf(() => data({ posts: 3 }), { headers });
  expect(plain?.headers['cache-control']).toBe('public, no-cache');
  expect(text).toContain('{"posts":3}');
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
])('Remix answers %s, and its loader runs once', async (_, load, status) => {
  const { plain, remix, runs } = await answerOf(load);
  expect([plain, remix?.status, runs]).toEqual([null, status, 1]);
});

it('Remix answers for files and for pages with scripts', async () => {
  for (const more of [{ default: undefined }, { handle: { scripts: true } }]) {
    const { plain, runs } = await answerOf(() => new Response('file'), more);
    expect([plain, runs]).toEqual([null, 1]);
  }
});
