import { createRequestHandler, data, type LoaderFunction, type ServerBuild } from '@remix-run/node';
import { expect, it } from 'vitest';
import { restoreLoaderData, withoutHandoff } from '#app/site/loader-data.ts';

it('Remix makes no hydration data of what a page without scripts reads', async () => {
  let reads = 0;
  const load = () => ({
    get text() {
      reads += 1;
      return 'shown';
    },
  });
  const shown = await renderWith(load, (routes) => routes);
  expect([shown, reads]).toEqual(['shown', 2]);
  reads = 0;
  expect([await renderWith(load, withoutHandoff), reads]).toEqual(['shown', 1]);
});

it('headers, status and other answers of a loader stay as they are', async () => {
  const init = { status: 404, headers: { 'X-Test': 'kept' } };
  expect(await renderWith(() => data({ text: 'with a status' }, init), withoutHandoff)).toBe('with a status');
  const redirected = await answerOf(
    () => new Response(null, { status: 301, headers: { Location: '/new' } }),
    withoutHandoff,
  );
  expect([redirected.status, redirected.headers.get('Location')]).toEqual([301, '/new']);
});

async function renderWith(load: LoaderFunction, change: Change): Promise<string> {
  return (await answerOf(load, change)).text();
}

type Change = (routes: ServerBuild['routes']) => ServerBuild['routes'];

/** What a page with one route answers that shows its loader's text. */
function answerOf(load: LoaderFunction, change: Change): Promise<Response> {
  const routes = { root: { id: 'root', path: '', module: { loader: load, default: () => null } } };
  const build = {
    routes: change(routes),
    assets: { routes: {} },
    future: { v3_singleFetch: true },
    entry: {
      module: {
        default: (
          _: Request,
          status: number,
          headers: Headers,
          context: { staticHandlerContext: Context },
        ) => {
          const { loaderData } = context.staticHandlerContext;
          restoreLoaderData(loaderData);
          return new Response(loaderData.root!.text, { status, headers });
        },
      },
    },
  };
  return createRequestHandler(
    build as unknown as ServerBuild,
    'production',
  )(new Request('http://localhost/'));
}

interface Context {
  loaderData: Record<string, { text: string }>;
}
