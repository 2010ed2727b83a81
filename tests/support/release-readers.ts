import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Client } from './http-client.ts';
import type { TestServer } from './server.ts';

/** How long a process may show the old side after the first process has shown the new one. */
const BEHIND_AT_MOST_MS = 1_000;

/** A part of an answer: whether it shows the new side of a release. */
interface Fact {
  release: number;
  isNew: boolean;
}

interface ReadAddress {
  path: string;
  /** The parts of the answer. */
  read: (answer: { status: number; text: string; location: string | undefined }) => Fact[];
  /** The index is updated after the commit, so search results may lag behind the rest of the page. */
  lags?: true;
}

/** The twenty addresses: home, lists, feeds, sitemap, search, posts, redirects. */
function addressesOf(releases: number): ReadAddress[] {
  const numbers = Array.from({ length: releases }, (_, index) => index + 1);
  const list = (path: string): ReadAddress => ({
    path,
    read: ({ text }) => [...frameOf(text, releases), ...entriesOf(text)],
  });
  const entriesOf = (text: string): Fact[] =>
    numbers.flatMap((release) => [
      { release, isNew: text.includes(`New ${release} draft`) },
      ...(release > 1 ? [{ release, isNew: text.includes(`New ${release} change`) }] : []),
    ]);
  return [
    ...['/', '/archive', '/tags/harbour', '/categories/sea', '/authors/ada'].map(list),
    ...['/rss.xml', '/atom.xml', '/feed.json', '/tags/harbour/rss.xml', '/categories/sea/rss.xml'].map(list),
    {
      path: '/sitemap.xml',
      read: ({ text }) =>
        numbers.flatMap((release) => [
          { release, isNew: text.includes(`/posts/draft-${release}-0<`) },
          ...(release > 1 ? [{ release, isNew: text.includes(`/posts/moved-${release}<`) }] : []),
        ]),
    },
    { path: '/search?q=draft', lags: true, read: ({ text }) => frameOf(text, releases) },
    ...numbers.map((release): ReadAddress => ({
      path: `/posts/draft-${release}-0`,
      read: ({ status, text }) => [{ release, isNew: status === 200 }, ...frameOf(text, releases)],
    })),
    ...numbers.slice(1).map((release): ReadAddress => ({
      path: `/posts/change-${release}-1`,
      read: ({ status, text, location }) => [
        { release, isNew: status === 301 && location === `/posts/moved-${release}` },
        ...(status === 200 ? frameOf(text, releases) : []),
      ],
    })),
    ...numbers.map((release): ReadAddress => ({
      path: `/old/${release}`,
      read: ({ status, text }) => [
        { release, isNew: status === 301 },
        ...(status === 404 ? frameOf(text, releases) : []),
      ],
    })),
  ];
}

/** The site's title contains the number of published releases. */
function frameOf(text: string, releases: number): Fact[] {
  const sides = [...new Set([...text.matchAll(/Side (\d)/g)].map(([, side]) => Number(side)))];
  expect(sides, 'one title in all parts').toHaveLength(1);
  return Array.from({ length: releases }, (_, index) => ({ release: index + 1, isNew: index < sides[0]! }));
}

/** Reads all the addresses of all the servers without a pause, and compares every answer with the earlier ones. */
export function startReading(servers: TestServer[], releases: number) {
  const addresses = addressesOf(releases);
  let isOver = false;
  let rounds = 0;
  /** When the first new answer of a release came, in any process. */
  const firstNew = new Map<number, number>();
  let newest = 0;
  const readServer = async (server: TestServer) => {
    const own = new Map<number, number>();
    const client = server.client();
    const readers = addresses.map((address) => async () => {
      const began = performance.now();
      const facts = await factsOf(client, address).catch((error: unknown) => {
        throw new Error(`The server's log ends with:\n${server.stdout().slice(-3_000)}`, { cause: error });
      });
      const ended = performance.now();
      for (const { release, isNew } of facts) {
        if (isNew) {
          own.set(release, Math.min(own.get(release) ?? ended, ended));
          firstNew.set(release, Math.min(firstNew.get(release) ?? ended, ended));
          newest = Math.max(newest, release);
          continue;
        }
        const context = `release ${release} at ${address.path}`;
        expect(began, `${context}: old after a new answer of this process`).toBeLessThan(
          own.get(release) ?? Infinity,
        );
        const others = (firstNew.get(release) ?? Infinity) + BEHIND_AT_MOST_MS;
        expect(began, `${context}: old a second after a new answer of another process`).toBeLessThan(others);
      }
    });
    while (!isOver) {
      await Promise.all(readers.map((read) => read()));
      rounds += 1;
    }
  };
  const reading = Promise.all(servers.map(readServer));
  reading.catch(() => {});
  const until = async (isReached: () => boolean) => {
    while (!isReached()) await Promise.race([sleep(10), reading]);
  };
  return {
    hasBegun: until(() => rounds >= 2 * servers.length),
    /** Ends once every process has shown the last release for a while; throws what a reader found. */
    async stopOnceNew() {
      await until(() => newest === releases);
      const shown = rounds;
      await until(() => rounds > shown + 3 * servers.length);
      isOver = true;
      await reading;
    },
  };
}

async function factsOf(client: Client, { path, read }: ReadAddress): Promise<Fact[]> {
  const { status, text, headers } = await client.get(path);
  expect([200, 301, 404], path).toContain(status);
  const facts = read({ status, text, location: headers.location });
  for (const { release } of facts) {
    const sides = new Set(facts.filter((fact) => fact.release === release).map(({ isNew }) => isNew));
    expect([...sides], `${path}: parts from both sides of release ${release}`).toHaveLength(1);
  }
  return facts;
}
