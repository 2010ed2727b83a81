import type { LoaderFunction, ServerBuild } from '@remix-run/node';

type Routes = ServerBuild['routes'];

/** Where loader data is while Remix must not see it; a registered symbol, since the server and Remix's build each have this file. */
const DATA = Symbol.for('dateline.loaderData');

/**
 * Routes whose loaders' data Remix does not turn into hydration data: it would do so for every page, which took a
 * twentieth of a first render (measured), and pages without scripts have no use for it. `restoreLoaderData` gives the data back.
 */
export function withoutHandoff(routes: Routes): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      // A route without a component is a file: its answer is no page.
      if (!route?.module.loader || !('default' in route.module)) return [id, route];
      const loader = hiding(route.module.loader);
      return [id, { ...route, module: { ...route.module, loader } }];
    }),
  );
}

function hiding(load: LoaderFunction): LoaderFunction {
  return async (args) => {
    const answer: unknown = await load(args);
    if (answer instanceof Response) return answer;
    // What Remix's `data()` makes.
    const isWithStatus = isObject(answer) && answer.type === 'DataWithResponseInit';
    return isWithStatus ? { ...answer, data: hide(answer.data) } : hide(answer);
  };
}

/** Remix serialises only the properties that have names. */
function hide(data: unknown): object {
  return { [DATA]: data };
}

/** Puts the data of `withoutHandoff` back to where components read it. */
export function restoreLoaderData(loaderData: Record<string, unknown>): void {
  for (const [id, data] of Object.entries(loaderData))
    if (isObject(data) && DATA in data) loaderData[id] = data[DATA];
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}
