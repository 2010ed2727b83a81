import { addressOf } from '#app/platform/media-target.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { application } from '#app/platform/project.server.ts';

/** What the first log line of a server says: its version, and which services it uses. No credentials. */
export function startLine({ database, mediaStore, search }: Env): Record<string, string> {
  return {
    version: application.version,
    node: process.versions.node,
    database:
      database.dialect === 'sqlite' ? `sqlite ${database.file}` : `postgresql ${placeOf(database.url)}`,
    media: mediaStore.kind === 'file' ? `folder ${mediaStore.folder}` : addressOf(mediaStore),
    search: search.kind === 'embedded' ? `embedded ${search.file}` : `typesense ${search.nodes.join(', ')}`,
  };
}

/** Host and database of a URL, without user, password and options. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { host, pathname } = new URL(url);
  return host + pathname;
}
