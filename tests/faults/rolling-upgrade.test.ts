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
beforeAll(async () => {
  lastRelease = await buildLastRelease();
  if (lastRelease === null)
    process.stderr.write('The last release is not in this clone: servers of this one are swapped.\n');
  cluster = await startCluster(lastRelease === null ? {} : { release: lastRelease });
  // Beside the running servers, which work with the newer schema.
  const { code, stderr } = await runCommand(['db:migrate'], { env: cluster.variables });
  expect([code, stderr]).toEqual([0, '']);
  content = await fillCluster(cluster, DUE);
}, 900_000);

test(
  'servers are swapped forwards and back: no answer is 5xx, no save is lost',
  { timeout: 600_000 },
  async () => {
    const { app, servers, ask } = cluster;
    const load = startLoad(cluster, content);
    const swap = async (release: string) => {
      for (const index of servers.keys()) {
        expect(await servers[index]!.stop()).toBe(0);
        await cluster.startAgain(index, release);
        await load.moreReads(40);
        await load.moreSaves();
      }
    };
    const edit = async (id: string, fields: Record<string, string>) => {
      const { version } = await app.db.post.findUniqueOrThrow({ where: { id } });
      const form = { ...fields, version: String(version), intent: 'save' };
      const { status } = await ask('POST', `/admin/posts/${id}`, { cookie: content.cookie, form });
      expect(status).toBe(302);
    };
    const { id } = await createPost(app, { slug: 'kept', status: 'draft' });
    try {
      await load.moreSaves();
      await swap(projectRoot);
      await edit(id, { title: 'Newer', coverFocus: '25 75' });
      await swap(lastRelease ?? projectRoot);
      await edit(id, { title: 'Older' });
      const scheduled = () => app.db.post.count({ where: { status: 'scheduled' } });
      await expect.poll(scheduled, { timeout: 60_000 }).toBe(0);
    } finally {
      await load.stop();
    }
    process.stderr.write(`To this release and back: ${describeLoad(load)}\n`);
    await expectNothingLost(cluster, content, load);
    expect([...load.refused]).toEqual([]);
    // A release that knows nothing of a field leaves it as it is.
    expect(await app.db.post.findUnique({ where: { id } })).toMatchObject({
      title: 'Older',
      coverFocus: '25 75',
    });
  },
);
