import * as z from 'zod';

const collection = z.object({ output: z.literal(true), permalink: z.string().catch('') });

/** Jekyll's setting `collections`: the names and permalinks of those that Jekyll publishes. */
export const collectionsSchema = z
  .record(z.string(), z.unknown())
  .catch({})
  .transform((written) => {
    const shown: Record<string, string> = {};
    for (const [name, value] of Object.entries(written)) {
      const parsed = collection.safeParse(value);
      if (parsed.success && name !== 'posts' && name !== 'drafts') shown[name] = parsed.data.permalink;
    }
    return shown;
  });

/**
 * The scheme of addresses of each collection, by its folder.
 * @param permalink the site's own, which decides whether default addresses end in `/` or `.html`
 */
export function addressesOfCollections(
  collections: Record<string, string>,
  permalink: string,
): Record<string, string> {
  const end = permalink === 'pretty' || permalink.endsWith('/') ? '/' : '.html';
  return Object.fromEntries(
    Object.entries(collections).map(([name, own]) => [
      `_${name}`,
      (own || `/:collection/:path${end}`).replaceAll(':collection', name),
    ]),
  );
}
