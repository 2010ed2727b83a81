// A Typesense cluster: followers pass writes on to the leader, and show them half a second late.
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSearchEngine } from '#app/search/create-engine.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { createPosts } from '#tests/support/factories.ts';
import { createSearchApp, expectIndexMatches, type SearchTestApp } from '#tests/support/search-app.ts';

const LATE_MS = 500;

let app: SearchTestApp;
let follower: Server;
beforeAll(async () => {
  app = await createSearchApp('typesense', { dialect: 'sqlite' });
  follower = await startFollower(app.test.standIn!.url);
});
afterAll(async () => {
  follower?.close();
  await app?.close();
});

it('a rebuild waits for a node that does not know the new collection yet', async () => {
  await createPosts(app, 3, { status: 'published' });
  const nodes = [`http://127.0.0.1:${(follower.address() as AddressInfo).port}`];
  const { apiKey } = app.test.standIn!;
  const search = await createSearchEngine({ kind: 'typesense', nodes }, { apiKey });
  const result = await reindexPosts({ ...app, search }, { batchSize: 200 });
  await search.close();
  expect(result).toMatchObject({ sourceCount: 3, indexedCount: 3 });
  await expectIndexMatches(app, { posts: 3 });
});

/** Answers as the leader, except that a collection is unknown until some time after its creation. */
async function startFollower(leader: string): Promise<Server> {
  const server = createServer((incoming, answer) => {
    const [, createdAt] = /^\/collections\/published_posts_(\d+)_\w+$/.exec(incoming.url!) ?? [];
    if (incoming.method === 'GET' && Date.now() - Number(createdAt) < LATE_MS) {
      answer.writeHead(404, { 'content-type': 'application/json' });
      answer.end(JSON.stringify({ message: 'Not Found' }));
      return;
    }
    const { method, headers, url } = incoming;
    const passedOn = request(leader + url!, { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers);
      answered.pipe(answer);
    });
    incoming.pipe(passedOn);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
