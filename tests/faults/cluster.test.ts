// Three servers, PostgreSQL, S3 and search behind nginx. Each of them is killed in turn under load of readers, editors
// and triggers. `NIGHTLY=1`: twenty rounds in ten minutes, and PostgreSQL stays away for 20 s.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { startCluster, type Cluster } from '#tests/support/cluster.ts';
import {
  describeLoad,
  expectNothingLost,
  fillCluster,
  startLoad,
  type ClusterContent,
  type ClusterLoad,
} from '#tests/support/cluster-load.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';

const nightly = process.env.NIGHTLY === '1';
/** Parts that are killed, in turn; PostgreSQL comes last. */
const KILLS = nightly ? 20 : 6;
const AWAY_MS = nightly ? 20_000 : 3_000;
const DUE = nightly ? 600 : 60;
const DUE_EVERY_MS = nightly ? 850 : 150;
/** A round takes at least as long. */
const ROUND_MS = nightly ? 27_000 : 0;
/** Posts that become due while PostgreSQL is away. */
const DUE_WHILE_AWAY = 20;
/** Reads between a kill and the start again, and after it. */
const READS_BETWEEN = 60;

let cluster: Cluster;
let content: ClusterContent;
beforeAll(async () => {
  cluster = await startCluster();
  content = await fillCluster(cluster, DUE, DUE_EVERY_MS);
}, 180_000);

/** Kills a part, gives readers time without it, and brings it back, each in turn. */
function rounds({ servers, startAgain, bucket, balancer, searchNodes }: Cluster, load: ClusterLoad) {
  const readers = () => load.moreReads(READS_BETWEEN);
  const killHost = async (index: number) => {
    await servers[index]!.stop('SIGKILL');
    await readers();
    await startAgain(index);
  };
  return [
    () => killHost(0),
    async () => {
      await bucket.kill();
      await readers();
      await bucket.startAgain();
    },
    () => killHost(1),
    async () => {
      const { askedAgain } = load;
      await balancer.kill();
      await expect.poll(() => load.askedAgain).toBeGreaterThan(askedAgain);
      await balancer.startAgain();
    },
    () => killHost(2),
    async () => {
      searchNodes.forEach((node) => node.cut());
      await load.moreSaves();
      searchNodes.forEach((node) => node.mend());
    },
  ];
}

/** Every server has every page in memory. */
async function warm(): Promise<void> {
  for (const server of cluster.servers)
    for (const page of content.pages) expect((await server.client().get(page)).status, page).toBe(200);
}

async function killEachInTurn(load: ClusterLoad): Promise<void> {
  const killInTurn = rounds(cluster, load);
  await load.moreSaves();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const end = Date.now() + ROUND_MS;
    await killInTurn[kill % killInTurn.length]!();
    do await load.moreReads(READS_BETWEEN);
    while (Date.now() < end);
  }
  await load.moreSaves();
}

async function expectHitsWithoutFirstNode(): Promise<void> {
  const { ask, searchNodes } = cluster;
  searchNodes[0]!.cut();
  const { status, body } = await ask('GET', '/search?q=Saved+saved-a-0');
  searchNodes[0]!.mend();
  expect([status, body.toString().includes('href="/posts/saved-a-0"')]).toEqual([200, true]);
}

const untilAllAreOut = () =>
  expect
    .poll(() => cluster.app.db.post.count({ where: { status: 'scheduled' } }), { timeout: 120_000 })
    .toBe(0);

/** Posts become due while PostgreSQL is away. */
async function killPostgres(load: ClusterLoad): Promise<void> {
  const { app, postgres } = cluster;
  // A page that has just changed is in nobody's memory: nothing changes until all is read again.
  await load.pauseEditors();
  await untilAllAreOut();
  await warm();
  const away = Date.now() + 1_000;
  const soon = (index: number) => new Date(away + index * 50);
  content.dueIds.push(...(await insertDuePosts(app, DUE_WHILE_AWAY, soon)));
  postgres.signal('SIGKILL');
  load.goOn();
  await sleep(AWAY_MS);
  await postgres.restart();
  await load.moreSaves();
  await untilAllAreOut();
}

test(
  'each part is killed in turn: no read fails, no save is lost, nothing is published twice',
  { timeout: nightly ? 30 * 60_000 : 600_000 },
  async () => {
    const load = startLoad(cluster, content);
    try {
      await killEachInTurn(load);
      await expectHitsWithoutFirstNode();
      await killPostgres(load);
    } finally {
      await load.stop();
    }
    process.stderr.write(`Cluster: ${KILLS} kills, PostgreSQL away ${AWAY_MS} ms: ${describeLoad(load)}\n`);
    await expectNothingLost(cluster, content, load);
    expect(load.stale).toBeGreaterThan(0);
  },
);
