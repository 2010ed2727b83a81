import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createElement } from 'react';
import { actOnScreen, loadScreen, type ScreenPage } from '#app/admin/dispatch.server.ts';
import type { ActionResult } from '#app/admin/screen.ts';
import { appOf } from '#app/compose.server.ts';
import { AdminShell } from '#app/admin/shell.tsx';
import { viewOf } from '#app/admin/views.tsx';
import adminStyles from '#app/admin/styles/admin.css?url';

export const handle = { scripts: true };

export const links = () => [{ rel: 'stylesheet', href: adminStyles }];

/** What the screen says of its answer: not stored, not indexed, how long to wait. Remix adds the cookies. */
export const headers: HeadersFunction = ({ loaderHeaders, actionHeaders, errorHeaders }) => {
  const headers = new Headers(errorHeaders ?? loaderHeaders);
  for (const [name, value] of errorHeaders ? [] : actionHeaders) headers.set(name, value);
  headers.delete('Set-Cookie');
  return headers;
};

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const page = data as ScreenPage | undefined;
  return page ? [{ title: `${page.title} · ${page.adminContext.siteTitle}` }] : [];
};

/** The splat: the backend at its current path, a stored redirect, else the plain 404. */
export async function loader(args: LoaderFunctionArgs) {
  return loadScreen(await splatArguments(args));
}

export async function action(args: ActionFunctionArgs) {
  return actOnScreen(await splatArguments(args));
}

async function splatArguments({ request, context, params }: LoaderFunctionArgs) {
  const address = context.clientAddress ?? 'unknown';
  return { app: await appOf(context), request, address, context, splat: params['*'] ?? '' };
}

export default function Admin() {
  const page = useLoaderData<unknown>() as ScreenPage;
  const result = useActionData<unknown>() as ActionResult | undefined;
  return (
    <AdminShell adminContext={page.adminContext} current={page.id}>
      {createElement(viewOf(page.id), { data: page.data, result, adminContext: page.adminContext })}
    </AdminShell>
  );
}
