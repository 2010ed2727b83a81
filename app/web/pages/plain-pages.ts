import type {
  AppLoadContext,
  EntryContext,
  HeadersFunction,
  LoaderFunction,
  ServerBuild,
} from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import type { renderPlainPage } from '#app/entry.server.tsx';
import type { WholeAnswer } from './page-source.ts';

type Tree = Parameters<typeof matchRoutes>[0];
type Module = NonNullable<ServerBuild['routes'][string]>['module'];

/** Renders a page; `missing` if nothing is at its address, null if Remix has to answer. */
export type RenderPlain = (
  url: URL,
  request: Request,
  context: AppLoadContext,
) => Promise<WholeAnswer | 'missing' | null>;

/**
 * Renders pages without scripts, bypassing Remix's handler. That handler copies the request twice for each loader,
 * makes hydration data of the loaders' results and wraps the page in streams. This takes a fifth of a first render
 * (measured), and such a page does not need it. Remix still answers everything else: a redirect, an error, a loader
 * with headers. It gets the loaders' results from here, so that they run once (`replayLoaders`).
 * @param build with the routes of one branch
 * @param tree the same routes
 */
export function plainPages(build: ServerBuild, tree: Tree): RenderPlain {
  const modules: Record<string, Module> = {};
  for (const [id, route] of Object.entries(build.routes)) if (route) modules[id] = route.module;
  const entry = build.entry.module as unknown as { renderPlainPage: typeof renderPlainPage };
  return async (url, request, context) => {
    const matches = matchRoutes(tree, url.pathname, build.basename);
    if (!matches) return null;
    const loaderData = await load(matches, { request, context });
    if (!loaderData || loaderData === 'missing') return loaderData;
    const { pathname, search } = url;
    const remixContext: EntryContext = {
      manifest: build.assets,
      routeModules: modules,
      future: build.future,
      isSpaMode: build.isSpaMode,
      renderMeta: {},
      serializeError: (error) => ({ message: error.message }),
      staticHandlerContext: {
        basename: build.basename ?? '/',
        location: { pathname, search, hash: '', state: null, key: 'default' },
        matches: matches as unknown as EntryContext['staticHandlerContext']['matches'],
        loaderData,
        actionData: null,
        errors: null,
        statusCode: 200,
        loaderHeaders: {},
        actionHeaders: {},
        activeDeferreds: null,
      },
    };
    try {
      const text = await entry.renderPlainPage(url.href, remixContext, context);
      const headers = { ...headersOf(Object.values(modules)), 'content-type': 'text/html; charset=utf-8' };
      return { status: 200, headers, body: Buffer.from(text) };
    } catch {
      // Remix renders the page again, reports the error and shows the error page.
      return null;
    }
  };

  /**
   * The loaders' results by route; `missing` if one of them threw `notFound`; null if one failed otherwise, returned a
   * response, or set a status or headers.
   */
  async function load(
    matches: NonNullable<ReturnType<typeof matchRoutes>>,
    { request, context }: { request: Request; context: AppLoadContext },
  ): Promise<Record<string, unknown> | 'missing' | null> {
    const { params } = matches.at(-1)!;
    const loads = matches.flatMap(({ route: { id = '' } }): [string, Promise<unknown>][] => {
      const loader = modules[id]?.loader;
      return loader ? [[id, run(loader, { request, params, context })]] : [];
    });
    context.loaded = new Map(loads);
    const loaderData: Record<string, unknown> = {};
    for (const [index, outcome] of (await Promise.allSettled(context.loaded.values())).entries()) {
      if (outcome.status === 'rejected') return isNotFound(outcome.reason) ? 'missing' : null;
      if (outcome.value instanceof Response) return null;
      const read = withoutInit(outcome.value);
      if (!read) return null;
      loaderData[loads[index]![0]] = read.data;
    }
    return loaderData;
  }
}

/** The same routes. Their loaders return what `plainPages` has read for this request. */
export function replayLoaders(routes: ServerBuild['routes']): ServerBuild['routes'] {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      const loader = route?.module.loader;
      if (!route || !loader) return [id, route];
      const replay: LoaderFunction = (args) => args.context.loaded?.get(id) ?? loader(args);
      return [id, { ...route, module: { ...route.module, loader: replay } }];
    }),
  );
}

async function run(loader: LoaderFunction, args: Parameters<LoaderFunction>[0]): Promise<unknown> {
  return loader(args);
}

/** True for what `notFound` makes, whose page is the same at every address. */
function isNotFound(thrown: unknown): boolean {
  if (!isMadeByData(thrown) || thrown.init?.status !== 404) return false;
  return Object.keys(thrown.data as object).join() === 'recent';
}

/** True for what Remix's `data()` makes. */
function isMadeByData(value: unknown): value is { data: unknown; init: ResponseInit | null } {
  return (
    typeof value === 'object' && value !== null && 'type' in value && value.type === 'DataWithResponseInit'
  );
}

/** The result of a loader; null if Remix's `data()` added a status or headers. */
function withoutInit(value: unknown): { data: unknown } | null {
  if (!isMadeByData(value)) return { data: value };
  return value.init ? null : { data: value.data };
}

/** The headers of the last route that has any. */
function headersOf(modules: Module[]): Record<string, string> {
  const own = modules.findLast(({ headers }) => headers)?.headers as
    | HeadersFunction
    | HeadersInit
    | undefined;
  if (!own) return {};
  const none = () => new Headers();
  const args = {
    loaderHeaders: none(),
    parentHeaders: none(),
    actionHeaders: none(),
    errorHeaders: undefined,
  };
  return Object.fromEntries(new Headers(typeof own === 'function' ? own(args) : own));
}
