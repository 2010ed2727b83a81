import { createRequestHandler, type ServerBuild } from '@remix-run/node';
import type { Reading, Configured } from '#app/platform/services.ts';
import type { App } from '#app/app.ts';
import type { readMissingParts } from '#app/entry.server.tsx';
import { publicFirstSegments } from '#app/platform/http/public-addresses.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import { findNamedPost, findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { decodePath } from '#app/posts/paths.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { wholeAnswer, type WholeAnswer } from './page-source.ts';

type Reader = Reading & Configured;

/**
 * Gives the 404 page of an address, the same for all. Null where each is rendered: without shared reads, and where it
 * names a post.
 */
export type MissingPage = (app: App, pathname: string) => Promise<WholeAnswer | null>;

/** An address of no route, and of no page: no slug is a hyphen. */
const NOWHERE = '/-';

/** Renders the 404 page once for all addresses, and again when something that it shows has changed. */
export function createMissingPage(build: ServerBuild): MissingPage {
  const answer = createRequestHandler(build, 'production');
  const entry = build.entry.module as ServerBuild['entry']['module'] & {
    readMissingParts: typeof readMissingParts;
  };
  return async (app, pathname) => {
    if (!app.sharedReads || (await findNamedPost(app, pathname))) return null;
    const parts = await entry.readMissingParts(app);
    const render = async () => wholeAnswer(await answer(new Request(app.env.siteUrl + NOWHERE), { app }));
    return app.sharedReads.derive('missing page', parts, render);
  };
}

/**
 * True if nothing is at an address at which `findAddress` has found neither a page nor a list: it is not the backend's,
 * and no old address.
 * @param pathname percent-encoded: another spelling of the admin path is another address
 */
export async function isMissing(app: Reader, pathname: string): Promise<boolean> {
  const settings = await readShared(app, 'settings', readSettings);
  const first = pathname.split('/')[1]!;
  if (first === settings.admin_path || pathname === indexNowPath(settings)) return false;
  // Another spelling of a fixed address, such as `/Tags/`, leads to that address.
  if (publicFirstSegments.has(decodePath(first)?.toLowerCase() ?? '')) return false;
  return (await findRedirect(app, pathname)) === null;
}

/** The address of the key file of IndexNow; null: it is off. */
export function indexNowPath({
  indexnow,
  indexnow_key: key,
}: Pick<Settings, 'indexnow' | 'indexnow_key'>): string | null {
  return indexnow && key !== '' ? `/${key}.txt` : null;
}
