import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerBuild } from '@remix-run/node';
import { buildFolder } from '#app/platform/project.server.ts';

/** The Remix build that serves readers. */
export async function loadBuild(): Promise<ServerBuild> {
  const file = path.join(buildFolder, 'server/index.js');
  return (await import(pathToFileURL(file).href)) as ServerBuild;
}

/** The folder of a build's files for browsers. */
export const clientFolder = path.join(buildFolder, 'client');

const types: Record<string, string> = { '.svg': 'image/svg+xml', '.css': 'text/css; charset=utf-8' };

/** Names of the files at the top of the site, such as `favicon.svg`. A build does not change, so they are read once. */
export function publicFileNames(): Set<string> {
  const names = new Set(existsSync(clientFolder) ? readdirSync(clientFolder) : []);
  for (const folder of ['assets', 'uploads']) names.delete(folder);
  return names;
}

/** One of these files as an answer. @param name one of `publicFileNames()` */
export async function answerPublicFile(name: string): Promise<Response> {
  const type = types[path.extname(name)] ?? 'application/octet-stream';
  return new Response(await readFile(path.join(clientFolder, name)), { headers: { 'Content-Type': type } });
}
