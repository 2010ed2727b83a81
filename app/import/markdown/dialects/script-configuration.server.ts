import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DialectName } from './dialects.ts';
import type { MarkdownSite } from './site.ts';

/** The parameter of a route with a page for each post. Routes of tags, languages and page numbers use other names. */
const parameter = String.raw`^((?:[^/[\]]+\/)*)\[(?:\.\.\.)?(?:slug|id|post|path|entry)\]`;
const postPages: Partial<Record<DialectName, [folder: string, page: RegExp]>> = {
  astro: ['src/pages', new RegExp(`${parameter}(?:/index)?\\.astro$`)],
  sveltekit: ['src/routes', new RegExp(String.raw`${parameter}/\+page(?:@[^/]*)?\.svelte$`)],
};

type Scripted = Pick<MarkdownSite, 'dialect'> & Partial<MarkdownSite>;

/** The order matters: an Astro site may also have a configuration of Svelte. */
const scripts: [DialectName, RegExp][] = [
  ['docusaurus', /^docusaurus\.config\.[cm]?[jt]s$/],
  ['gatsby', /^gatsby-config\.[cm]?[jt]s$/],
  ['astro', /^astro\.config\.[cm]?[jt]s$/],
  ['eleventy', /^(\.eleventy\.c?js|eleventy\.config\.[cm]?js)$/],
  ['nuxt', /^nuxt\.config\.[cm]?[jt]s$/],
  ['sveltekit', /^svelte\.config\.[cm]?[jt]s$/],
];
const MAX_BYTES = 1_000_000;

/**
 * The site of a generator whose configuration is a program; null when there is none. The program is read as text and never
 * run, so only values that it contains literally are found.
 * @param names the names of the files in `folder`
 */
export async function readScriptConfiguration(folder: string, names: string[]): Promise<Scripted | null> {
  for (const [dialect, pattern] of scripts) {
    const script = names.find((name) => pattern.test(name));
    if (script === undefined) continue;
    const source = await read(folder, script);
    return { ...siteOf(source), dialect, routes: await routesOf(dialect, folder, source) };
  }
  if (names.includes('pelicanconf.py')) return pelicanSite(folder);
  return vitepressSite(folder, names);
}

/** The site's origin and base path; blank unless the program contains them as string literals. */
function siteOf(source: string): Pick<MarkdownSite, 'siteUrl' | 'basePath'> {
  const address =
    /\b(?:site|url|siteUrl|hostname)\s*:\s*["'`](https?:\/\/[^"'`\s]+)["'`]/.exec(source)?.[1] ?? '';
  const base = /\b(?:base|baseUrl|baseURL|pathPrefix)\s*:\s*["'`](\/[^"'`\s]*)["'`]/.exec(source)?.[1] ?? '';
  return { siteUrl: originOf(address), basePath: base.replace(/\/+$/, '') };
}

/** Pelican: the address is often only in the file for publishing. */
async function pelicanSite(folder: string): Promise<Scripted> {
  const source = `${await read(folder, 'publishconf.py')}\n${await read(folder, 'pelicanconf.py')}`;
  const literal = (name: string) =>
    new RegExp(`^${name}\\s*=\\s*["']([^"'\\n]+)["']`, 'm').exec(source)?.[1] ?? '';
  const address = literal('SITEURL');
  const below = URL.canParse(address) ? new URL(address).pathname : '';
  const written = literal('ARTICLE_URL');
  return {
    dialect: 'pelican',
    siteUrl: originOf(address),
    basePath: below.replace(/\/+$/, ''),
    permalink: written === '' ? null : schemeOf(written),
    timeZone: literal('TIMEZONE').trim(),
  };
}

const dateWords: Record<string, string> = {
  ...{ Y: 'year', m: 'month', d: 'day', H: 'hour', M: 'minute', j: 'y_day' },
};

/** `posts/{date:%Y}/{slug}/` as a scheme with this project's words. */
function schemeOf(written: string): string {
  const scheme = written
    .replace(/\{date:((?:[^{}])+)\}/g, (_, format: string) =>
      format.replace(/%(-?)([A-Za-z])/g, (sign, short: string, letter: string) => {
        const word = dateWords[letter];
        return word === undefined ? sign : short === '-' ? `:i_${word}` : `:${word}`;
      }),
    )
    .replace(/\{(slug|category)\}/g, ':$1');
  return `/${scheme.replace(/^\/+/, '')}`;
}

/** VitePress and VuePress keep their configuration in a hidden folder, often below `docs`. */
async function vitepressSite(folder: string, names: string[]): Promise<Scripted | null> {
  for (const below of ['', 'docs', 'src', 'blog']) {
    if (below !== '' && !names.includes(below)) continue;
    const subfolder = path.join(folder, below);
    const inside = below === '' ? names : await readdir(subfolder).catch(() => []);
    const hidden = inside.find((name) => name === '.vitepress' || name === '.vuepress');
    if (hidden === undefined) continue;
    const files = await readdir(path.join(subfolder, hidden)).catch(() => []);
    const script = files.find((name) => /^config\.[cm]?[jt]s$/.test(name));
    const source = script === undefined ? '' : await read(path.join(subfolder, hidden), script);
    const isClean = /\bcleanUrls\s*:\s*(true|["'])/.test(source);
    const sourceFolder = /\bsrcDir\s*:\s*["'`]([^"'`]+)["'`]/.exec(source)?.[1] ?? '';
    return {
      ...siteOf(source),
      dialect: 'vitepress',
      permalink: isClean ? '/:path' : null,
      sourceFolder: path.posix.join('.', sourceFolder).replace(/^\.$|\/+$/g, ''),
    };
  }
  return null;
}

async function read(folder: string, name: string): Promise<string> {
  return (await readFile(path.join(folder, name), 'utf8').catch(() => '')).slice(0, MAX_BYTES);
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : '';
}

/**
 * The beginnings of post addresses that the site's program contains literally.
 * @param source the text of the configuration
 */
async function routesOf(dialect: DialectName, folder: string, source: string): Promise<string[]> {
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
