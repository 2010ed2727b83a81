import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { Outlet } from '@remix-run/react';
import { withoutTrailingSlash } from '#app/platform/http/responses.ts';
import { PageShell } from './shell.tsx';

/** Only known public paths reach this loader, so a path with a trailing slash is another spelling of one of them. */
export function loader({ request }: LoaderFunctionArgs) {
  const canonical = withoutTrailingSlash(new URL(request.url));
  if (canonical) throw redirect(canonical, 301);
  return null;
}

export default function SiteLayout() {
  return (
    <PageShell>
      <Outlet />
    </PageShell>
  );
}
