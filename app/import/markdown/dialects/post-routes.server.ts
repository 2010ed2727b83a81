import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DialectName } from './dialects.ts';

/** The parameter of a route with a page for each post. Routes of tags, languages and page numbers use other names. */
const parameter = String.raw`^((?:[^/[\]]+\/)*)\[(?:\.\.\.)?(?:slug|id|post|path|entry)\]`;
const postPages: Partial<Record<DialectName, [folder: string, page: RegExp]>> = {
  astro: ['src/pages', new RegExp(`${parameter}(?:/index)?\\.astro$`)],
  sveltekit: ['src/routes', new RegExp(String.raw`${parameter}/\+page(?:@[^/]*)?\.svelte$`)],
};

/**
 * The beginnings of post addresses that the site's program contains literally.
 * @param source the text of the configuration
 */
export async function routesOf(dialect: DialectName, folder: string, source: string): Promise<string[]> {
  if (dialect === 'docusaurus') {
    const route = /\bblog\s*:\s*\{[^{}]*?\brouteBasePath\s*:\s*["'`]([^"'`]*)["'`]/.exec(source)?.[1];
    return route === undefined ? [] : [bare(route)];
  }
  const [below, page] = postPages[dialect] ?? [];
  if (below !== undefined && page !== undefined) {
    const files = await readdir(path.join(folder, below), { recursive: true }).catch(() => []);
    const routes = files.flatMap((file) => page.exec(file.replaceAll(path.sep, '/'))?.[1] ?? []);
    // Folders in brackets only group routes of SvelteKit.
    return [...new Set(routes.map((route) => bare(route.replace(/(^|\/)\([^()/]+\)(?=\/)/g, '$1'))))];
  }
  if (dialect !== 'gatsby') return [];
  const names = await readdir(folder).catch(() => []);
  const program = names.find((name) => /^gatsby-node\.[cm]?[jt]s$/.test(name));
  const text = program === undefined ? '' : await readFile(path.join(folder, program), 'utf8');
  const matches = text.matchAll(
    /\b(?:path|value)\s*:\s*`\/?([\w-]+(?:\/[\w-]+)*)\/?\$\{[^{}]*(?:slug|value)[^{}]*\}/gi,
  );
  return [...new Set([...matches].map(([, route]) => route!))];
}

function bare(route: string): string {
  return route.replace(/^\/+|\/+$/g, '');
}
