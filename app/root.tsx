import type { HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  isRouteErrorResponse,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import type { ReactNode } from 'react';
import { appOf } from '#app/compose.server.ts';
import { directionOf } from '#app/platform/text/languages.ts';
import { prefixOf } from '#app/posts/paths.ts';
import type { ErrorKind } from '#app/site/shell/error-page.tsx';
import { siteFrameOf } from '#app/site/shell/frame.server.ts';
import { type SiteFrame, inPageLanguage, listLanguage, pageLanguage } from '#app/site/shell/frame.ts';
import { isNotFoundError } from '#app/site/shell/not-found.ts';
import siteStyles from '#app/site/styles/site.css?url';
import { recordEarlyKeys } from '#app/ui/early-input.ts';
import { useNonce, wantsScripts } from '#app/ui/scripts.ts';

// Pages of the site and error pages carry no scripts, so the browser's code does not contain their components, nor
// their texts in every language.
const errors = import.meta.env.SSR
  ? { ...(await import('#app/site/shell/error-page.tsx')), ...(await import('#app/site/shell/messages.ts')) }
  : null;
const siteParts = import.meta.env.SSR ? await import('#app/site/shell/use-site.ts') : null;

export async function loader({ context }: LoaderFunctionArgs) {
  return { site: await siteFrameOf(await appOf(context), context) };
}

/** Error pages are rendered here, with the headers of the failed route: an error of the backend must not be cached. */
export const headers: HeadersFunction = ({ errorHeaders }) => errorHeaders ?? new Headers();

export const meta: MetaFunction<typeof loader> = ({ data, error }) => {
  const title = data?.site.title ?? 'Dateline';
  if (!error) return [{ title }];
  const language = data && pageLanguage(data.site, [ofError(error)]);
  const heading = errors?.messagesFor(language).errors[kindOf(error)].heading;
  return [{ title: [heading, title].filter(Boolean).join(' · ') }, { name: 'robots', content: 'noindex' }];
};

/** The shell of every page. A route that needs scripts sets `handle = { scripts: true }`. */
export function Layout({ children }: { children: ReactNode }) {
  const frame = useRouteLoaderData<typeof loader>('root')?.site;
  const error = useRouteError();
  // Without an error the hook returns null or undefined.
  const failed = error != null;
  const nonce = useNonce();
  const matches = [...useMatches(), ofError(error)];
  const site = frame && inPageLanguage(frame, matches);
  // A backend page adds its own styles by `links`. Every other page, and every error page, is the site's.
  const backend = matches.some((match) => 'handle' in match && wantsScripts(match.handle)) && !failed;
  return (
    <html lang={site?.language ?? 'en'} dir={site ? directionOf(site.language) : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <SiteIcon icon={site?.icon} />
        {backend ? (
          // Browsers hide the nonce from scripts, so React would see a different value.
          <script
            nonce={nonce}
            suppressHydrationWarning
            dangerouslySetInnerHTML={{ __html: recordEarlyKeys }}
          />
        ) : (
          <SiteLinks site={site} />
        )}
        <Links />
      </head>
      <body>
        {siteParts && !backend ? (
          <siteParts.SiteContext.Provider value={siteParts.shownSite(frame, matches)}>
            {children}
          </siteParts.SiteContext.Provider>
        ) : (
          children
        )}
        {backend ? (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        ) : null}
      </body>
    </html>
  );
}

function SiteIcon({ icon }: { icon: SiteFrame['icon'] | undefined }) {
  if (!icon) return <link rel="icon" href="/favicon.svg" type="image/svg+xml" />;
  return (
    <>
      <link rel="icon" href={icon.srcSet.split(' ')[0] || icon.src} />
      <link rel="apple-touch-icon" href={icon.src} />
    </>
  );
}

function SiteLinks({ site }: { site: SiteFrame | undefined }) {
  return (
    <>
      <link rel="stylesheet" href={siteStyles} />
      {site ? <link rel="stylesheet" href={site.themeHref} /> : null}
      {site?.fontFiles.map((href) => (
        <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={href} />
      ))}
      {site
        ? feeds.map(({ type, href }) => (
            <link
              key={href}
              rel="alternate"
              type={type}
              href={prefixOf(listLanguage(site) ?? '') + href}
              title={site.title}
            />
          ))
        : null}
    </>
  );
}

const feeds = [
  { type: 'application/rss+xml', href: '/rss.xml' },
  { type: 'application/atom+xml', href: '/atom.xml' },
  { type: 'application/feed+json', href: '/feed.json' },
];

export default function Root() {
  return <Outlet />;
}

/** The page of every failure: all unknown paths look the same. */
export function ErrorBoundary() {
  const error = useRouteError();
  const { pathname } = useLocation();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  if (!errors) return <p role="alert">This page does not work any more. Load it again.</p>;
  return (
    <errors.ErrorPage
      kind={kindOf(error)}
      status={status}
      recent={isNotFoundError(error) ? error.data.recent : []}
      dashboard={isOfScreen(error) ? pathname.split('/', 2).join('/') : undefined}
    />
  );
}

/** True for the failure of a screen at the current admin path; `dispatch.server.ts` throws it. */
function isOfScreen(error: unknown): boolean {
  if (!isRouteErrorResponse(error)) return false;
  const thrown: unknown = error.data;
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown;
}

/** An error as a match with data: the backend names the language of the person whom it refuses. */
function ofError(error: unknown): { data?: unknown } {
  return isRouteErrorResponse(error) ? { data: error.data as unknown } : {};
}

function kindOf(error: unknown): ErrorKind {
  if (!isRouteErrorResponse(error)) return 'failed';
  if (error.status === 404) return 'notFound';
  if (error.status === 403) return 'forbidden';
  return error.status === 405 ? 'notAllowed' : 'failed';
}
