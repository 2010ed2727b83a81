import type { TestApp } from './app.ts';
import type { Client, Fields } from './http-client.ts';
import type { Site } from './site.ts';

interface Saved {
  id: string;
  errors: Record<string, string>;
}

export type JsonForms = ReturnType<typeof jsonForms>;

/** The backend's forms, sent by an editor who asks for JSON. */
export function jsonForms({ app, editor }: { app: TestApp; editor: Client }) {
  const inJson = async (path: string, fields: Fields) => {
    const answer = await editor.post(`/admin/${path}`, fields, { accept: 'application/json' });
    return { status: answer.status, body: answer.json<Saved>() };
  };
  const versionOf = async (id: string) =>
    String((await app.db.post.findUniqueOrThrow({ where: { id } })).version);
  /** Publishes a post. @returns its id */
  const make = async (title: string, fields: Fields = {}) =>
    (await inJson('posts/new', { title, body: `All of ${title}`, intent: 'publish', ...fields })).body.id;
  return {
    inJson,
    versionOf,
    make,
    page: (title: string, fields: Fields = {}) => make(title, { type: 'page', ...fields }),
    save: async (id: string, fields: Fields) =>
      inJson(`posts/${id}`, { version: await versionOf(id), intent: 'save', ...fields }),
    settings: (group: string, fields: Fields) => inJson(`settings/${group}`, fields),
  };
}

export type See = ReturnType<typeof readerOf>;

/** What a reader gets. */
export function readerOf({ server }: Pick<Site, 'server'>) {
  const reader = server.client();
  return async (path: string) => {
    const { status, headers, text } = await reader.get(path);
    return { status, location: headers.location, text };
  };
}
