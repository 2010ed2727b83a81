// What the page of a search costs a server that has run for a while, in milliseconds of its CPU.
import { request, Agent } from 'node:http';
import { textFromHtml } from '#app/search/text-from-html.ts';
import { cpuOf, median } from './cpu.ts';
import { runLoad, startBare, stop } from './http/processes.ts';
import { seededRandom } from './random-posts.ts';
import { report } from './report.ts';

/** Queries that are not counted: V8 compiles what a search runs in several steps, the last after some hundreds. */
const WARMING = 1_000;
const COUNTED = 300;
const WORDS_MAX = 3;
/** Shorter ones are rarely asked for. */
const SHORTEST_WORD = 4;
/** Of repeated queries, as hot pages are measured: in short slices, in turns with a bare server. */
const SLICES = 8;
const SLICE_REQUESTS = 2_000;
const CONNECTIONS = 16;

/**
 * Asks for the pages of many different queries, one after the other on one connection as a browser does. Then asks for
 * the last ones again and again, as `http.bench.ts` asks for hot pages, in turns with a bare server that sends the same
 * bytes: the processor time of a lone request is mostly that of waking up.
 * @param texts HTML whose words the queries are made of
 * @param folder for the bare server's answers
 */
export async function measureSearches(
  { origin, pid }: { origin: string; pid: number },
  { posts, texts, folder }: { posts: number; texts: string[]; folder: string },
): Promise<void> {
  const addressOf = (query: string) => `/search?${new URLSearchParams({ q: query })}`;
  const queries = queriesFrom(texts, WARMING + COUNTED).map(addressOf);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const fresh: number[] = [];
  for (const address of queries) {
    const before = await cpuOf(pid);
    await ask(agent, origin + address);
    fresh.push((await cpuOf(pid)) - before);
  }
  agent.destroy();
  const counted = fresh.slice(WARMING);
  // The latest only: the cache of searches is small.
  const paths = queries.slice(-COUNTED / 3);
  const bare = await startBare({ origin, paths, encodings: ['br'], folder });
  const costOfSlice = async (server: { origin: string; pid: number }) => {
    const before = await cpuOf(server.pid);
    const load = { origin: server.origin, paths, encoding: 'br', connections: CONNECTIONS, folder };
    await runLoad({ ...load, total: SLICE_REQUESTS });
    return ((await cpuOf(server.pid)) - before) / SLICE_REQUESTS;
  };
  const repeated: number[] = [];
  const minimal: number[] = [];
  for (let slice = 0; slice < SLICES; slice += 1) {
    repeated.push(await costOfSlice({ origin, pid }));
    minimal.push(await costOfSlice(bare));
  }
  stop(bare);
  const name = `${posts} posts, after ${WARMING} queries:`;
  report(`${name} page of a new query, ms of CPU`, median(counted), { atMost: 8 }, spread(counted));
  report(`${name} page of a repeated query, ms of CPU`, median(repeated), { atMost: 0.2 }, spread(repeated));
  report(`${name} the same from a bare server, ms of CPU`, median(minimal), {}, spread(minimal));
}

/** Different queries of one to three words that follow each other in a text, the same in each run. */
function queriesFrom(texts: string[], count: number): string[] {
  const random = seededRandom(16);
  const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)]!;
  const lines = texts.flatMap((html) =>
    textFromHtml(html)
      .split('\n')
      .map((line) => line.match(/[\p{L}\p{N}]+/gu)?.filter(({ length }) => length >= SHORTEST_WORD) ?? [])
      .filter((words) => words.length >= WORDS_MAX),
  );
  const queries = new Set<string>();
  while (queries.size < count) {
    const words = pick(lines);
    const length = 1 + Math.floor(random() * WORDS_MAX);
    const start = Math.floor(random() * (words.length - length + 1));
    queries.add(words.slice(start, start + length).join(' '));
  }
  return [...queries];
}

function ask(agent: Agent, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip, deflate, br' };
    request(address, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${address} was answered with ${answer.statusCode}.`));
      answer.resume().on('end', resolve).on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

function spread(numbers: number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]!.toFixed(2);
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return `lowest tenth ${at(0.1)}, highest tenth ${at(0.9)}, mean ${mean.toFixed(2)}`;
}
