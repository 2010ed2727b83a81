import path from 'node:path';
import type { ImportFromOptions } from '#app/import/run/import.server.ts';
import { createTestApp, type TestApp } from './app.ts';
import { folderWith } from './content-folders.ts';
import { importResult } from './import.ts';

export type ImportedFolder = Awaited<ReturnType<typeof importedFolder>>;

/** The result of an import of files into a new instance, and its posts by slug. */
export async function importedFolder(
  files: Record<string, string | Uint8Array>,
  { below = '', ...options }: Partial<ImportFromOptions> & { below?: string } = {},
) {
  const input = path.join(await folderWith(files), below);
  return importedInput({ from: 'markdown', input, ...options });
}

/** The result of an import into a new instance, and its posts by slug. */
export async function importedInput(options: Parameters<typeof importResult>[1]) {
  const app = await createTestApp();
  try {
    const result = await importResult(app, options);
    return { result, posts: await postsOf(app) };
  } finally {
    await app.close();
  }
}

async function postsOf(app: TestApp) {
  const rows = await app.db.post.findMany({
    include: {
      redirects: { orderBy: { path: 'asc' } },
      author: true,
      category: true,
      coverMedia: true,
      tags: { orderBy: { position: 'asc' }, include: { tag: true } },
    },
  });
  return Object.fromEntries(
    rows.map(({ slug, title, body, status, publishedAt, contentUpdatedAt, ...row }) => [
      slug,
      {
        title,
        body,
        status,
        publishedAt,
        day: publishedAt?.toISOString().slice(0, 10),
        updated: contentUpdatedAt.toISOString().slice(0, 10),
        author: row.author?.displayName,
        category: row.category?.name,
        cover: row.coverMedia?.originalName,
        tags: row.tags.map(({ tag }) => tag.name),
        redirects: row.redirects.map((redirect) => redirect.path),
      },
    ]),
  );
}
