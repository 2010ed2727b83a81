// Servers of the last release are swapped for this one under load, and back. By hand, since CI has no history to build
// the last release from: `LAST_RELEASE=<folder of a built clone> npx vitest run tests/faults/rolling-upgrade.test.ts`.
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { runCommand } from '#tests/support/command.ts';
import { startCluster, type Cluster } from '#tests/support/cluster.ts';
import {
  describeLoad,
  expectNothingLost,
  fillCluster,
  startLoad,
  type ClusterContent,
} from '#tests/support/cluster-load.ts';

const lastRelease = process.env.LAST_RELEASE ?? '';
const DUE = 40;

let cluster: Cluster;
let content: ClusterContent;
beforeAll(async () => {
  if (lastRelease === '') return;
  cluster = await startCluster({ release: lastRelease });
  content = await fillCluster(cluster, DUE);
}, 180_000);

test.runIf(lastRelease)(
  'servers are swapped forwards and back: no answer is 5xx, no save is lost',
  { timeout: 300_000 },
  async () => {
    const load = startLoad(cluster, content);
    const { app, servers } = cluster;
    try {
      await load.moreSaves();
      const { code, stderr } = await runCommand(['db:migrate'], { env: cluster.variables });
      expect([code, stderr]).toEqual([0, '']);
      for (const release of [projectRoot, lastRelease])
        for (const index of servers.keys()) {
          expect(await servers[index]!.stop()).toBe(0);
          await cluster.startAgain(index, release);
          await load.moreReads(40);
          await load.moreSaves();
        }
      const scheduled = () => app.db.post.count({ where: { status: 'scheduled' } });
      await expect.poll(scheduled, { timeout: 60_000 }).toBe(0);
    } finally {
      await load.stop();
    }
    process.stderr.write(`From ${path.basename(lastRelease)} and back: ${describeLoad(load)}\n`);
    await expectNothingLost(cluster, content, load);
    expect([...load.refused]).toEqual([]);
  },
);
