import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Histogram, Registry, collectDefaultMetrics, Gauge } from 'prom-client';
import { readBackupState } from '#app/backup/write/runs.server.ts';
import type { Statement } from '#app/platform/database/client.server.ts';
import { keysOf, recordOf } from '#app/platform/narrow.ts';
import { application } from '#app/platform/project.server.ts';
import type { Configured, Timed } from '#app/platform/services.ts';
import { earliest } from '#app/platform/time/earliest.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { readPlannedChanges, readPublishingState } from '#app/publishing/trigger/status.server.ts';
import { countReleases } from '#app/releases/status.server.ts';
import type { SearchCall } from '#app/search/engine.ts';

type CacheState = 'hit' | 'miss' | 'stale' | 'none';

/** The counts of one route. */
interface Route {
  /** Requests by status and cache state. */
  requests: Map<number, Record<CacheState, number>>;
  /** Requests per bucket: each counts in the first one whose bound it does not exceed, else in the last one. */
  buckets: number[];
  seconds: number;
}

/**
 * Counts requests by route, status and cache state, and their durations. prom-client looks a series up by its labels at
 * each observation, which takes a tenth of the time of an answer from the page cache. Here the series are made only
 * when they are read.
 * @param buckets upper bounds in seconds, ascending
 */
function countRequestsIn(registry: Registry, buckets: readonly number[]) {
  const routes = new Map<string, Route>();
  new Counter({
    name: 'dateline_http_requests_total',
    help: 'Requests by route, status and page cache state.',
    labelNames: ['route', 'status', 'cache'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, { requests }] of routes)
        for (const [status, byCache] of requests)
          for (const [cache, count] of Object.entries(byCache))
            if (count > 0) this.inc({ route, status, cache }, count);
    },
  });
  const name = 'dateline_http_request_duration_seconds';
  const valuesOf = (route: string, { buckets: counts, seconds }: Route) => {
    let count = 0;
    const bounds = [...buckets, '+Inf'].map((le, index) => ({
      metricName: `${name}_bucket`,
      labels: { le, route },
      value: (count += counts[index]!),
    }));
    return [
      ...bounds,
      { metricName: `${name}_sum`, labels: { route }, value: seconds },
      { metricName: `${name}_count`, labels: { route }, value: count },
    ];
  };
  const durations = {
    name,
    get: () => ({
      name,
      help: 'Duration of requests by route.',
      type: 'histogram',
      values: [...routes].flatMap(([route, counted]) => valuesOf(route, counted)),
      aggregator: 'sum',
    }),
  };
  // The registry uses only these members of a metric.
  registry.registerMetric(durations as unknown as Histogram);

  return (route: string, status: number, seconds: number, cache: CacheState): void => {
    let counted = routes.get(route);
    if (!counted) {
      counted = { requests: new Map(), buckets: Array<number>(buckets.length + 1).fill(0), seconds: 0 };
      routes.set(route, counted);
    }
    let byCache = counted.requests.get(status);
    if (!byCache) counted.requests.set(status, (byCache = { hit: 0, miss: 0, stale: 0, none: 0 }));
    byCache[cache] += 1;
    let bucket = 0;
    while (bucket < buckets.length && seconds > buckets[bucket]!) bucket += 1;
    counted.buckets[bucket]! += 1;
    counted.seconds += seconds;
  };
}

/** Milliseconds between two samples. A longer delay is measured up to this much too short. */
const SAMPLED_MS = 5;
const EVERY_MS = 1_000;

/** Time limit of the database's part: a database that hangs must not delay the rest. */
const READ_MS = 2_000;

/** Upper bounds of the histograms, in seconds. */
const buckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

/** The same for statements: on SQLite none may hold the event loop for more than 10 ms. */
const statementBuckets = [0.001, 0.005, 0.01, 0.02, 0.1, 0.5, 2, 10];

/** The same for the event loop: no request may hold it for more than 10 ms. */
const delayBuckets = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1];

/** The counters of the web server, and the page for Prometheus. */
export interface Metrics {
  countRequest(
    route: string,
    status: number,
    seconds: number,
    cache: 'hit' | 'miss' | 'stale' | 'none',
  ): void;
  countLogin(outcome: 'succeeded' | 'failed' | 'throttled'): void;
  countStatement(statement: Pick<Statement, 'seconds' | 'failure'>): void;
  countSearch(call: SearchCall): void;
  /** Text of `/api/internal/metrics`; reads the database, unless it is known to be down. */
  text(options?: { databaseDown?: boolean }): Promise<string>;
}

/** Metrics of one process. `usage`: pages and bytes of its page cache. */
export function createMetrics(
  app: Timed & Configured,
  usage: () => { pages: number; bytes: number },
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const buildInfo = new Gauge({
    name: 'dateline_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node', 'database'],
    registers,
  });
  const { dialect } = app.env.database;
  buildInfo.set({ version: application.version, node: process.versions.node, database: dialect }, 1);
  const countRequest = countRequestsIn(registry, buckets);
  const statements = new Histogram({
    name: 'dateline_database_statement_duration_seconds',
    help: 'Duration of database statements, waiting for a connection included.',
    buckets: statementBuckets,
    registers,
  });
  const statementErrors = new Counter({
    name: 'dateline_database_errors_total',
    help: 'Database statements that failed.',
    registers,
  });
  const eventLoop = new Histogram({
    name: 'dateline_event_loop_longest_delay_seconds',
    help: 'For how long the event loop was held at the longest, one observation a second.',
    buckets: delayBuckets,
    registers,
  });
  observeEventLoopDelay((seconds) => eventLoop.observe(seconds));
  const searches = new Histogram({
    name: 'dateline_search_duration_seconds',
    help: 'Duration of calls of the search engine by operation.',
    labelNames: ['operation'],
    buckets,
    registers,
  });
  const searchErrors = new Counter({
    name: 'dateline_search_errors_total',
    help: 'Calls of the search engine that failed, by operation.',
    labelNames: ['operation'],
    registers,
  });
  const logins = new Counter({
    name: 'dateline_logins_total',
    help: 'Logins by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  // Prometheus sees no increase in a series that begins with its first event.
  for (const outcome of ['succeeded', 'failed', 'throttled']) logins.inc({ outcome }, 0);
  const gauges = createGauges(app, registry, usage);

  return {
    countRequest,
    countStatement({ seconds, failure }) {
      statements.observe(seconds);
      if (failure) statementErrors.inc();
    },
    countSearch({ operation, seconds, failed }) {
      searches.observe({ operation }, seconds);
      searchErrors.inc({ operation }, failed ? 1 : 0);
    },
    countLogin: (outcome) => logins.inc({ outcome }),
    async text({ databaseDown = false } = {}) {
      await gauges.update({ databaseDown });
      return registry.metrics();
    },
  };
}

const gaugeHelp = {
  page_cache_pages: 'Pages in the cache.',
  page_cache_bytes: 'Bytes of pages in the cache.',
  search_outbox_posts: 'Posts whose change waits for the search index.',
  search_outbox_oldest_seconds: 'Age of the oldest waiting change.',
  posts_scheduled: 'Scheduled posts.',
  posts_overdue: 'Scheduled posts whose time has passed.',
  posts_published: 'Published posts.',
  releases_scheduled: 'Scheduled releases.',
  releases_blocked: 'Scheduled releases whose time has passed and that cannot be published.',
  last_trigger_timestamp_seconds: 'When the last trigger ran, Unix time; 0 for never.',
  next_due_timestamp_seconds:
    'When the next post, scheduled update, archiving or release is due, Unix time; 0 for nothing.',
  backup_last_timestamp_seconds: 'When the last backup:run finished, Unix time; 0 for never.',
  backup_overdue: 'Whether a backup is missing by the schedule of the last one: 1 or 0.',
  backup_last_proven_timestamp_seconds:
    'When the last backup:run --prove that succeeded finished, Unix time; 0 for never.',
  database_up: 'Whether the database answered for this page: 1 or 0.',
};

/** The state of the site and of the page cache, which each request for the metrics reads. */
function createGauges(
  app: Timed,
  registry: Registry,
  usage: () => { pages: number; bytes: number },
): { update(options: { databaseDown: boolean }): Promise<void> } {
  const gauges = recordOf(
    keysOf(gaugeHelp),
    (name) => new Gauge({ name: `dateline_${name}`, help: gaugeHelp[name], registers: [registry] }),
  );
  const set = (values: Partial<Record<keyof typeof gaugeHelp, number>>) => {
    for (const name of keysOf(values)) gauges[name].set(values[name]!);
  };

  async function readDatabase(): Promise<void> {
    const [state, planned, published, releases, outbox, backups] = await Promise.all([
      readPublishingState(app),
      readPlannedChanges(app),
      countPosts(app),
      countReleases(app),
      app.db.searchOutbox.aggregate({ _count: true, _min: { enqueuedAt: true } }),
      readBackupState(app),
    ]);
    const now = app.clock.now().getTime();
    const oldest = outbox._min.enqueuedAt;
    const next = earliest(state.nextDueAt, planned.nextDueAt, releases.nextDueAt);
    set({
      search_outbox_posts: outbox._count,
      search_outbox_oldest_seconds: oldest ? (now - oldest.getTime()) / 1000 : 0,
      posts_scheduled: state.scheduled,
      posts_overdue: state.overdue,
      posts_published: published,
      releases_scheduled: releases.scheduled,
      releases_blocked: releases.blocked,
      last_trigger_timestamp_seconds: state.lastTriggeredAt ? Date.parse(state.lastTriggeredAt) / 1000 : 0,
      next_due_timestamp_seconds: next ? Date.parse(next) / 1000 : 0,
      backup_last_timestamp_seconds: (backups.lastAt?.getTime() ?? 0) / 1000,
      backup_overdue: backups.overdue ? 1 : 0,
      backup_last_proven_timestamp_seconds: (backups.lastProvenAt?.getTime() ?? 0) / 1000,
    });
  }

  return {
    async update({ databaseDown }) {
      const { pages, bytes } = usage();
      set({ page_cache_pages: pages, page_cache_bytes: bytes });
      const answers = databaseDown
        ? Promise.resolve(0)
        : readDatabase().then(
            () => 1,
            () => 0,
          );
      set({ database_up: await Promise.race([answers, sleep(READ_MS, 0, { ref: false })]) });
    },
  };
}

/**
 * Reports once a second the longest delay of the event loop within that second. All requests wait during such a delay.
 */
function observeEventLoopDelay(observe: (seconds: number) => void): void {
  const delays = monitorEventLoopDelay({ resolution: SAMPLED_MS });
  delays.enable();
  setInterval(() => {
    // A sample is the time since the one before it, in nanoseconds.
    if (delays.count > 0) observe(Math.max(0, delays.max / 1e9 - SAMPLED_MS / 1e3));
    delays.reset();
  }, EVERY_MS).unref();
}
