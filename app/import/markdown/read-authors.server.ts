import path from 'node:path';
import * as z from 'zod';
import { parseYaml } from '#app/platform/text/yaml.ts';
import { readText } from '#app/import/source/read-text.server.ts';

const authorNames = z.record(z.string(), z.looseObject({ name: z.string() }).nullable().catch(null));

/** `authors.yml` of Docusaurus and Jekyll: key → name. A file that cannot be read is ignored. */
export async function readAuthors(root: string, files: string[]): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  for (const file of files.filter((candidate) => /(^|\/)authors\.ya?ml$/i.test(candidate))) {
    try {
      const data = parseYaml(await readText(path.join(root, file)));
      for (const [key, value] of Object.entries(authorNames.parse(data)))
        if (value) authors.set(key, value.name);
    } catch {
      continue;
    }
  }
  return authors;
}
