import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PageUser } from '#app/admin/frame/page-user-field.tsx';
import adminStyles from '#app/admin/styles/admin.css?url';
import { appOf } from '#app/compose.server.ts';
import { ReplayEarlyInput } from '#app/ui/early-input.ts';
import { WordsLanguage } from '#app/ui/words.ts';
import { tabTitle } from './screen-types.ts';
import { actOnScreen, loadScreen } from './dispatch.server.ts';
import { AdminShell } from './shell.tsx';
import { ScreenView } from './views.tsx';

export const handle = { scripts: true };

export const links = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: inter } as const,
  { rel: 'stylesheet', href: adminStyles },
];

/** The screen's headers: not stored, not indexed, how long to wait. Remix adds the cookies. */
export const headers: HeadersFunction = ({ loaderHeaders, actionHeaders, errorHeaders }) => {
  const headers = new Headers(errorHeaders ?? loaderHeaders);
  for (const [name, value] of errorHeaders ? [] : actionHeaders) headers.set(name, value);
  headers.delete('Set-Cookie');
  return headers;
};

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  return data ? [{ title: tabTitle(data.title, data.adminContext.siteTitle) }] : [];
};

/** The splat: the backend at its current path, a stored redirect, or the plain 404. */
export async function loader(args: LoaderFunctionArgs) {
  return loadScreen(await incoming(args));
}

export async function action(args: ActionFunctionArgs) {
  return actOnScreen(await incoming(args));
}

async function incoming({ request, context }: LoaderFunctionArgs) {
  return { app: await appOf(context), request, address: context.clientAddress ?? 'unknown', context };
}

export default function Admin() {
  const page = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (!page) return null;
  return (
    <WordsLanguage.Provider value={page.language}>
      <PageUser.Provider value={page.adminContext.user?.id ?? null}>
        <AdminShell adminContext={page.adminContext} current={page.id}>
          <ScreenView page={page} result={result ?? undefined} />
          <ReplayEarlyInput />
        </AdminShell>
      </PageUser.Provider>
    </WordsLanguage.Provider>
  );
}
