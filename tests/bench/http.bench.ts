// `npm run bench -- http`: how near the page cache comes to a bare Node server that sends the same bytes.
//   Hot: answers a second against the bare server (at least 0.8, compressed 0.75).
//   Cold: CPU of the first render of each page against the bare server's a request (at most 60 times, or 2 ms).
//   Both with 1,000 and 10,000 posts (within 10 %; hot in the mean over the pages), and the resident memory after it all (under 180 MB).
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closeApp } from '#app/compose.server.ts';
import { runLoad, startBare, stopAll, type Server } from './http/processes.ts';
import { startSite, type Site as StartedSite } from './http/site.ts';
import { cpuOf, median } from './cpu.ts';
import { report } from './report.ts';

const CONNECTIONS = 16;
/** Short slices in turn, compared with their neighbours: the machine's speed changes within seconds. */
const HOT_SLICES = 24;
const HOT_REQUESTS = 4_000;
const HOT_POSTS = 200;
const COLD_POSTS = 500;
const COLD_CHANGES = 14;
/** The last of them. */
const COLD_COUNTED = 11;
/** Of a cold render: milliseconds of the processor, or bare requests. */
const [COLD_MS, COLD_BARE] = [2, 60];
const SAME = { atLeast: 0.9, atMost: 1.1 };

const postPages = ({ slugs }: StartedSite) => slugs.slice(0, HOT_POSTS).map((slug) => `/posts/${slug}`);
const groups: [name: string, paths: (site: StartedSite) => string[]][] = [
  ['post page', postPages],
  ['home page', () => ['/']],
  ['tag page', () => ['/tags/tag-1']],
  ['feed', () => ['/rss.xml']],
  ['sitemap', () => ['/sitemap.xml']],
];

const folder = await mkdtemp(path.join(tmpdir(), 'dateline-bench-http-'));
try {
  const small = await newSite(1_000);
  const large = await newSite(10_000);
  await measureHot([small, large]);
  await measureCold([small, large]);
  compareSizes(small, large);
  for (const { posts, server } of [small, large])
    report(`${posts} posts: resident memory, MB`, await residentMegabytes(server.pid), { atMost: 180 });
  for (const { app } of [small, large]) await closeApp(app);
} finally {
  stopAll();
  await rm(folder, { recursive: true, force: true });
}

interface Site extends StartedSite {
  posts: number;
  /** Sends the very answers that ours gives, headers too. It is as old as ours: V8 has seen the same answers in both. */
  bare: Server;
  /** What was asked for → answers a second of each slice, ours and the bare server's. */
  rates: Map<string, { ours: number[]; bare: number[] }>;
}

async function newSite(posts: number): Promise<Site> {
  const databaseUrl = `file:${path.join(folder, `${posts}.db`)}`;
  const site = await startSite(`${posts}`, { posts, databaseUrl, folder });
  const { origin } = site.server;
  const paths = groups.flatMap(([, pathsOf]) => pathsOf(site));
  for (const page of paths) await fetch(origin + page);
  const bare = await startBare({ origin, paths, encodings: ['identity', 'gzip'], folder });
  return { posts, bare, rates: new Map(), ...site };
}

/** Both sites and their bare servers take turns, so that other work of the machine affects all of them. */
async function measureHot(sites: Site[]): Promise<void> {
  for (const [encoding, wanted] of [
    ['identity', 0.8],
    ['gzip', 0.75],
  ] as const)
    for (const [name, pathsOf] of groups) {
      const label = `${name}, ${encoding}`;
      const turns = sites.map((site) => {
        return { site, paths: pathsOf(site), ours: newMeasure(), theirs: newMeasure() };
      });
      for (let slice = 0; slice < HOT_SLICES; slice += 1) {
        for (const { site, paths, ours, theirs } of turns) {
          await measureLoad(site.bare, paths, encoding, theirs);
          await measureLoad(site.server, paths, encoding, ours);
        }
        turns.reverse();
      }
      for (const { site, ours, theirs } of turns) {
        site.rates.set(label, { ours: ours.rates, bare: theirs.rates });
        const share = medianRatio(ours.rates, theirs.rates);
        const figures = `${median(ours.rates).toFixed(0)} of ${median(theirs.rates).toFixed(0)} a second`;
        report(`${site.posts} posts: ${label} to a bare server`, share, { atLeast: wanted }, figures);
      }
    }
}

/**
 * Answers a second with 10,000 posts to those with 1,000, for the pages that are as large in both (the sitemap is not).
 * Two bare servers that send them differ as well, by up to a fifth here: that is the machine, so the mean counts.
 */
function compareSizes(small: Site, large: Site): void {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (const [name, rates] of small.rates) {
    if (name.startsWith('sitemap')) continue;
    const others = large.rates.get(name)!;
    ours.push(medianRatio(others.ours, rates.ours));
    bare.push(medianRatio(others.bare, rates.bare));
    const control = `two bare servers ${bare.at(-1)!.toFixed(2)}`;
    report(`${name}: 10,000 posts to 1,000`, ours.at(-1)!, {}, control);
  }
  const control = `two bare servers ${geometricMean(bare).toFixed(2)}`;
  report('hot pages, geometric mean: 10,000 posts to 1,000', geometricMean(ours), SAME, control);
}

/** The median of what each slice had against the one beside it. */
function medianRatio(values: number[], others: number[]): number {
  return median(values.map((value, index) => value / others[index]!));
}

function geometricMean(values: number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

interface Measure {
  /** Answers a second. */
  rates: number[];
  /** Milliseconds of CPU a request. */
  cpu: number[];
}

function newMeasure(): Measure {
  return { rates: [], cpu: [] };
}

async function measureLoad(server: Server, paths: string[], encoding: string, into: Measure): Promise<void> {
  const before = await cpuOf(server.pid);
  into.rates.push((await load(server.origin, paths, encoding, HOT_REQUESTS)).rate);
  into.cpu.push(((await cpuOf(server.pid)) - before) / HOT_REQUESTS);
}

/**
 * A change empties the cache; then each page is asked for once. The first changes only warm the server up. Both sites
 * and bare servers with pages of theirs take turns.
 */
async function measureCold(sites: Site[]): Promise<void> {
  const turns = sites.map((site) => {
    return { site, hot: postPages(site), costs: [] as number[], theirs: newMeasure() };
  });
  for (let change = 0; change < COLD_CHANGES; change += 1) {
    for (const { site, hot, costs, theirs } of turns) {
      await measureLoad(site.bare, hot, 'identity', theirs);
      await site.app.db.siteState.updateMany({ data: { contentVersion: { increment: 1 } } });
      const pages = site.slugs.slice(-COLD_POSTS).map((slug) => `/posts/${slug}`);
      const before = await cpuOf(site.server.pid);
      await load(site.server.origin, pages, 'identity', COLD_POSTS);
      costs.push(((await cpuOf(site.server.pid)) - before) / COLD_POSTS);
    }
    turns.reverse();
  }
  turns.sort((a, b) => a.site.posts - b.site.posts);
  const ratios = turns.map(({ site, costs, theirs }) => {
    const [counted, bareCpu] = [costs.slice(-COLD_COUNTED), theirs.cpu.slice(-COLD_COUNTED)];
    const ratio = medianRatio(counted, bareCpu);
    const milliseconds = median(counted);
    const figures = `${milliseconds.toFixed(2)} to ${median(bareCpu).toFixed(4)} ms`;
    report(
      `${site.posts} posts: CPU of a cold render to a bare request`,
      ratio,
      {},
      `${figures}; after the first change ${costs[0]!.toFixed(2)} ms`,
    );
    report(
      `${site.posts} posts: a cold render to ${COLD_MS} ms or ${COLD_BARE} bare requests, whichever is more`,
      Math.min(milliseconds / COLD_MS, ratio / COLD_BARE),
      { atMost: 1 },
    );
    return ratio;
  });
  report('cold render, in bare requests: 10,000 posts to 1,000', ratios[1]! / ratios[0]!, SAME);
}

async function load(
  origin: string,
  paths: string[],
  encoding: string,
  requests: number,
): Promise<{ rate: number }> {
  const rate = await runLoad({ origin, paths, encoding, total: requests, connections: CONNECTIONS, folder });
  return { rate };
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}
