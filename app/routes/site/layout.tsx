import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { Outlet } from '@remix-run/react';
import { withoutTrailingSlash } from '#app/platform/responses.ts';
import { PageShell } from '#app/site/page-shell.tsx';

/** Only known public paths come here, so a trailing slash is an other spelling of one of them. */
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
