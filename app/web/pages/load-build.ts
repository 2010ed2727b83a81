import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerBuild } from '@remix-run/node';
import { buildFolder } from '#app/platform/project.server.ts';

/** The Remix build that serves readers. */
export async function loadBuild(): Promise<ServerBuild> {
  const file = path.join(buildFolder, 'server/index.js');
  return (await import(pathToFileURL(file).href)) as ServerBuild;
}
