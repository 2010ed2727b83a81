// Three servers, PostgreSQL, S3 and search behind nginx. Each is killed in turn under load of readers, editors and
// triggers. `NIGHTLY=1`: twenty rounds, and PostgreSQL stays away for 20 s.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { startCluster, type Cluster } from '#tests/support/cluster.ts';
import {
  describeLoad,
  expectNothingLost,
  fillCluster,
  startLoad,
  type ClusterContent,
} from '#tests/support/cluster-load.ts';

const nightly = process.env.NIGHTLY === '1';
/** Servers that are killed, in turn. */
const KILLS = nightly ? 20 : 3;
const AWAY_MS = nightly ? 20_000 : 3_000;
const DUE = nightly ? 600 : 60;
/** Reads between a kill and the start again, and after it. */
const READS_BETWEEN = 60;

let cluster: Cluster;
let content: ClusterContent;
beforeAll(async () => {
  cluster = await startCluster();
  content = await fillCluster(cluster, DUE);
}, 180_000);

/** Every server has every page in memory. */
async function warm(): Promise<void> {
  for (const server of cluster.servers)
    for (const page of content.pages) expect((await server.client().get(page)).status, page).toBe(200);
}

test(
  'each part is killed in turn: no read fails, no save is lost, nothing is published twice',
  { timeout: nightly ? 30 * 60_000 : 300_000 },
  async () => {
    const { app, servers, ask, postgres, searchNodes } = cluster;
    const load = startLoad(cluster, content);
    const scheduled = (where: object) => app.db.post.count({ where: { status: 'scheduled', ...where } });
    try {
      await load.moreSaves();
      for (let kill = 0; kill < KILLS; kill += 1) {
        await servers[kill % servers.length]!.stop('SIGKILL');
        await load.moreReads(READS_BETWEEN);
        await cluster.startAgain(kill % servers.length);
        await load.moreReads(READS_BETWEEN);
      }
      await load.moreSaves();
      searchNodes[0]!.cut();
      const { status, body } = await ask('GET', '/search?q=Saved+saved-a-0');
      searchNodes[0]!.mend();
      expect([status, body.toString().includes('href="/posts/saved-a-0"')]).toEqual([200, true]);
      // A page that has just changed is in nobody's memory: editors rest until all is read again.
      await load.pauseEditors();
      await expect.poll(() => scheduled({ publishedAt: { lte: new Date() } }), { timeout: 120_000 }).toBe(0);
      await warm();
      postgres.signal('SIGKILL');
      load.goOn();
      await sleep(AWAY_MS);
      await postgres.restart();
      await load.moreSaves();
      await expect.poll(() => scheduled({}), { timeout: 120_000 }).toBe(0);
    } finally {
      await load.stop();
    }
    process.stderr.write(`Cluster: ${KILLS} kills, PostgreSQL away ${AWAY_MS} ms: ${describeLoad(load)}\n`);
    await expectNothingLost(cluster, content, load);
    expect(load.stale).toBeGreaterThan(0);
  },
);
