import * as z from 'zod';
import { parseYaml } from '#app/platform/text/yaml.ts';
import { schemeProblem } from '#app/import/addresses/permalink-words.ts';
import { AppError } from '#app/platform/errors.ts';

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
    throw new AppError('invalid_input', 'This is not a routes file of Ghost.', { cause });
  }
}
