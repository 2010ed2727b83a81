import * as z from 'zod';
import { oldAddress, type ReadRedirects } from '#app/import/addresses/old-address.ts';
import { schemeProblem } from '#app/import/addresses/permalink-words.ts';
import { invalidInput } from '#app/platform/errors.ts';
import { parseYaml } from '#app/platform/text/yaml.ts';

const jsonRedirects = z.array(z.object({ from: z.string(), to: z.string() }));
const yamlRedirects = z.record(z.string(), z.record(z.string(), z.string()).nullable());

/**
 * Reads `redirects.json` (a list of rules) or `redirects.yaml` (rules below 301 and 302).
 * @throws AppError `invalid_input` for anything else.
 */
export function readGhostRedirects(text: string): ReadRedirects {
  const rules = rulesOf(text);
  const byTarget = new Map<string, string[]>();
  const leftOut: string[] = [];
  for (const { from, to } of rules) {
    const path = plainPath(from);
    const target = oldAddress(to);
    if (path === null || target === null || path === target)
      leftOut.push(`The redirect from ${from} to ${to} is no plain path and was left out.`);
    else byTarget.set(target, [...(byTarget.get(target) ?? []), path]);
  }
  return { byTarget, leftOut };
}

function rulesOf(text: string): z.output<typeof jsonRedirects> {
  try {
    // JSON is YAML too, but YAML would misread its slashes as escapes.
    const value: unknown = /^\s*[[{]/.test(text) ? JSON.parse(text) : parseYaml(text);
    if (Array.isArray(value)) return jsonRedirects.parse(value);
    const groups = yamlRedirects.parse(value ?? {});
    return Object.values(groups).flatMap((group) =>
      Object.entries(group ?? {}).map(([from, to]) => ({ from, to })),
    );
  } catch (error) {
    throw invalidInput(
      'This is not a redirects file of Ghost: a JSON list, or YAML with 301 and 302.',
      error,
    );
  }
}

/** The path that a pattern without alternatives matches: `^\/old\/?$` is `/old`. */
function plainPath(pattern: string): string | null {
  const plain = pattern
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replace(/\\?\/\?$/, '')
    .replace(/\\([/.?+*$^()[\]{}|-])/g, (_, escaped: string) =>
      escaped === '.' || escaped === '-' || escaped === '/' ? escaped : `\\${escaped}`,
    );
  return /[\\^$*+?()[\]{}|]/.test(plain) ? null : oldAddress(plain);
}

/** The parts of `routes.yaml` that an import uses. */
export interface GhostRoutes {
  /** Scheme of the addresses of posts; null: the usual one. */
  permalink: string | null;
  /** Scheme of the addresses of tags; null: the usual one. */
  tag: string | null;
  /** The parts that an import does not use, in words. */
  leftOut: string[];
}

export const defaultRoutes: GhostRoutes = { permalink: null, tag: null, leftOut: [] };

const routesFile = z.object({
  routes: z.record(z.string(), z.unknown()).nullish(),
  collections: z
    .record(z.string(), z.object({ permalink: z.string(), filter: z.string().nullish() }))
    .nullish(),
  taxonomies: z.record(z.string(), z.string()).nullish(),
});

/**
 * Reads `routes.yaml`: the scheme of the collection that has no filter, and the one of tags.
 * @throws AppError `invalid_input` for anything else.
 */
export function readGhostRoutes(text: string): GhostRoutes {
  const { routes, collections, taxonomies } = parse(text);
  const leftOut = Object.keys(routes ?? {}).map(
    (path) => `The route ${path} was left out: it is a template.`,
  );
  let permalink: string | null = null;
  for (const [path, { filter, permalink: written }] of Object.entries(collections ?? {})) {
    const scheme = written.replaceAll('{primary_tag}', '{category}');
    if (filter || permalink !== null)
      leftOut.push(`The collection ${path} was left out: it holds some of the posts.`);
    else if (schemeProblem(scheme) !== null)
      leftOut.push(`The addresses ${written} of the collection ${path} were left out.`);
    else permalink = scheme;
  }
  for (const [name, scheme] of Object.entries(taxonomies ?? {}))
    if (name !== 'tag' && !/^\/author\/\{slug\}\/?$/.test(scheme))
      leftOut.push(`The addresses ${scheme} of the taxonomy ${name} were left out.`);
  return { permalink, tag: taxonomies?.tag ?? null, leftOut };
}

function parse(text: string): z.output<typeof routesFile> {
  try {
    return routesFile.parse(parseYaml(text) ?? {});
  } catch (cause) {
    throw invalidInput('This is not a routes file of Ghost.', cause);
  }
}
