// A Typesense cluster: followers pass writes on to the leader, and show them late.
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSearchEngine } from '#app/compose.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { createPosts } from '#tests/support/factories.ts';
import { createSearchApp, expectIndexMatches, type SearchTestApp } from '#tests/support/search-app.ts';

const POSTS = 3;

let app: SearchTestApp;
let follower: Server;
/** What the follower answers first about a new collection. */
let lateAnswers: { status: number; body: object }[];
beforeAll(async () => {
  app = await createSearchApp('typesense', { dialect: 'sqlite' });
  await createPosts(app, POSTS, { status: 'published' });
  follower = await startFollower(app.test.standIn!.url);
});
afterAll(async () => {
  follower?.close();
  await app?.close();
});

const unknown = { status: 404, body: { message: 'Not Found' } };
const incomplete = { status: 200, body: { name: 'published_posts_1', num_documents: POSTS - 1 } };

it.each([
  ['does not know the new collection yet', [unknown, unknown]],
  ['lacks its last documents yet', [incomplete, incomplete]],
])('a rebuild waits for a node that %s', async (_, answers) => {
  lateAnswers = [...answers];
  const nodes = [`http://127.0.0.1:${(follower.address() as AddressInfo).port}`];
  const { apiKey } = app.test.standIn!;
  const search = await createSearchEngine({ kind: 'typesense', nodes }, { apiKey });
  const result = await reindexPosts({ ...app, search }, { batchSize: 200 });
  await search.close();
  expect(lateAnswers).toEqual([]);
  expect(result).toMatchObject({ sourceCount: POSTS, indexedCount: POSTS });
  await expectIndexMatches(app, { posts: POSTS });
});

/** Answers as the leader, except for the first questions about a new collection. */
async function startFollower(leader: string): Promise<Server> {
  const server = createServer((incoming, answer) => {
    const isAboutNew = /^\/collections\/published_posts_\w+$/.test(incoming.url!);
    const late = incoming.method === 'GET' && isAboutNew ? lateAnswers.shift() : undefined;
    if (late) {
      answer.writeHead(late.status, { 'content-type': 'application/json' });
      answer.end(JSON.stringify(late.body));
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
