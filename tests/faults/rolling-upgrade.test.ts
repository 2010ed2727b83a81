// Servers of the last release are swapped for this one under load, and back. The last release is built from history;
// where there is none, servers of this release are swapped.
import { beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { startCluster, type Cluster } from '#tests/support/cluster.ts';
import {
  describeLoad,
  expectNothingLost,
  fillCluster,
  startLoad,
  type ClusterContent,
} from '#tests/support/cluster-load.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPost } from '#tests/support/factories.ts';
import { buildLastRelease } from '#tests/support/last-release.ts';

const DUE = 40;

let lastRelease: string | null;
let cluster: Cluster;
let content: ClusterContent;
let load: ReturnType<typeof startLoad>;
let edited: string;
beforeAll(async () => {
  lastRelease = await buildLastRelease();
  if (lastRelease === null)
    process.stderr.write('The last release is not in this clone: servers of this one are swapped.\n');
  cluster = await startCluster(lastRelease === null ? {} : { release: lastRelease });
  // Beside the running servers, which work with the newer schema.
  const { code, stderr } = await runCommand(['db:migrate'], { env: cluster.variables });
  expect([code, stderr]).toEqual([0, '']);
  content = await fillCluster(cluster, DUE);
  edited = (await createPost(cluster.app, { slug: 'kept', status: 'draft' })).id;
}, 900_000);

/** Swaps the servers one by one, each while others answer. */
async function swapTo(release: string): Promise<void> {
  for (const index of cluster.servers.keys()) {
    expect(await cluster.servers[index]!.stop()).toBe(0);
    await cluster.startAgain(index, release);
    await load.moreReads(40);
    await load.moreSaves();
  }
}

async function edit(fields: Record<string, string>): Promise<void> {
  const { version } = await cluster.app.db.post.findUniqueOrThrow({ where: { id: edited } });
  const form = { ...fields, version: String(version), intent: 'save' };
  const { status } = await cluster.ask('POST', `/admin/posts/${edited}`, { cookie: content.cookie, form });
  expect(status).toBe(302);
}

test(
  'servers are swapped forwards and back: no answer is 5xx, no save is lost',
  { timeout: 600_000 },
  async () => {
    load = startLoad(cluster, content);
    try {
      await load.moreSaves();
      await swapTo(projectRoot);
      await edit({ title: 'Newer', coverFocus: '25 75' });
      await swapTo(lastRelease ?? projectRoot);
      await edit({ title: 'Older' });
      const scheduled = () => cluster.app.db.post.count({ where: { status: 'scheduled' } });
      await expect.poll(scheduled, { timeout: 60_000 }).toBe(0);
    } finally {
      await load.stop();
    }
    process.stderr.write(`To this release and back: ${describeLoad(load)}\n`);
    await expectNothingLost(cluster, content, load, lastRelease === null ? 0 : expect.any(Number));
    expect([...load.refused]).toEqual([]);
  },
);

test('a release leaves a field that it does not know as it is', async () => {
  const where = { id: edited };
  expect(await cluster.app.db.post.findUnique({ where })).toMatchObject({
    title: 'Older',
    coverFocus: '25 75',
  });
});
