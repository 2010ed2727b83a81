import * as z from 'zod';

/** Values from Jekyll's configuration or a data file of Eleventy, for files that do not set them. */
export interface SiteDefaults {
  /** A folder or file below the imported folder, to which the values apply; `''` for all files. */
  path: string;
  /** `posts`, `pages`, `drafts` or another collection; `''` for all. */
  type: string;
  values: Readonly<Record<string, unknown>>;
}

/**
 * The values that are read. Others, such as pictures and addresses made of words, have no meaning without the theme.
 */
const importedFields = new Set([
  'author',
  'authors',
  'category',
  'categories',
  'tags',
  'layout',
  'published',
]);

const text = z.string().catch('');
const entry = z.object({
  scope: z.object({ path: text, type: text }).catch({ path: '', type: '' }),
  values: z.record(z.string(), z.unknown()),
});

/** `defaults` of a configuration; entries that cannot be read are left out. */
export const siteDefaultsSchema = z
  .array(z.unknown())
  .catch([])
  .transform((entries) =>
    entries.flatMap((candidate): SiteDefaults[] => {
      const parsed = entry.safeParse(candidate);
      if (!parsed.success) return [];
      const { scope, values } = parsed.data;
      const imported = Object.entries(values).filter(([name]) => importedFields.has(name));
      return [{ ...scope, path: scope.path.replace(/^\/+|\/+$/g, ''), values: Object.fromEntries(imported) }];
    }),
  );

/** The values for a file. Of several entries the longest path wins, then the later entry, as in Jekyll. */
export function defaultsFor(file: string, defaults: readonly SiteDefaults[]): Record<string, unknown> {
  const [, collection] = /(?:^|\/)_(\w+)\//.exec(file) ?? [];
  const type = collection ?? 'pages';
  return defaults
    .filter(
      (defaultsEntry) =>
        defaultsEntry.type === '' || defaultsEntry.type === type || `${defaultsEntry.type}s` === type,
    )
    .filter(({ path }) => path === '' || file === path || file.startsWith(`${path}/`))
    .sort((a, b) => a.path.length - b.path.length)
    .reduce((all, { values }) => ({ ...all, ...values }), {});
}
