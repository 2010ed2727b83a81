import { Counter, type Histogram, type Registry } from 'prom-client';

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
export function countRequestsIn(registry: Registry, buckets: readonly number[]) {
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
