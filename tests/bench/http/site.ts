import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { App } from '#app/app.ts';
import { createApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { startArguments } from '#tests/support/package-scripts.ts';
import { insertPublishedBlog } from '#tests/support/published-blog.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { start, type Server } from './processes.ts';

/** A blog, its server, and an `App` on the same database. */
export interface Site {
  app: App;
  server: Server;
  /** Newest first. */
  slugs: string[];
}

/**
 * Writes a blog of many posts into a new database and starts its server.
 * @param folder where its other files go, under `name`
 */
export async function startSite(
  name: string,
  { posts, databaseUrl, folder }: { posts: number; databaseUrl: string; folder: string },
): Promise<Site> {
  const variables = {
    DATABASE_URL: databaseUrl,
    SEARCH_HOST: `file:${path.join(folder, `${name}.search.db`)}`,
    UPLOADS_DIR: path.join(folder, 'uploads'),
    AUTH_SECRET: 'bench-secret-of-more-than-32-characters',
    AUTH_URL: 'https://blog.example.org',
    LOG_LEVEL: 'error',
  };
  await mkdir(variables.UPLOADS_DIR, { recursive: true });
  await prepareTemplate(variables.DATABASE_URL);
  const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
  const slugs = await insertPublishedBlog(app, posts);
  // As the container and the systemd unit of the docs start it.
  const server = await start(startArguments, { ...variables, HOST: '127.0.0.1', MALLOC_ARENA_MAX: '2' });
  return { app, server, slugs };
}
