import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import compression from 'compression';
import express, { Router } from 'express';
import type { Env } from '#app/platform/env.server.ts';
import { buildFolder } from '#app/platform/project.server.ts';
import { uploadPolicy } from './security-headers.ts';

const YEAR_SECONDS = 31_536_000;

/** Hashed assets and uploads for a year, the other public files for an hour. Dot names are never served. */
export function serveStaticFiles(env: Pick<Env, 'uploadsDir'>): Router {
  const router = Router({ caseSensitive: true });
  const immutable = {
    immutable: true,
    maxAge: YEAR_SECONDS * 1000,
    dotfiles: 'ignore',
    index: false,
  } as const;
  const client = path.join(buildFolder, 'client');
  const assets = express.static(path.join(client, 'assets'), { ...immutable, redirect: false });
  router.use('/assets', compression(), assets);
  router.use(
    '/uploads',
    (request, response, next) => {
      response.setHeader('Content-Security-Policy', uploadPolicy);
      next();
    },
    express.static(env.uploadsDir, { ...immutable, redirect: false }),
  );
  const publicFiles = express.static(client, {
    maxAge: 3_600_000,
    dotfiles: 'ignore',
    index: false,
    redirect: false,
  });
  // A build does not change, so an unknown name needs no look at the disk.
  const names = new Set(existsSync(client) ? readdirSync(client) : []);
  for (const served of ['assets', 'uploads']) names.delete(served);
  router.use((request, response, next) => {
    const [, name = ''] = request.path.split('/');
    if (names.has(name)) publicFiles(request, response, next);
    else next();
  });
  return router;
}
