import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import type { Dialect } from '#app/platform/env.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { bundleOptions } from './bundled-process.ts';
import { tempFolder } from './temp-folder.ts';

/** Newer than any migration that the project will have. */
export const NEXT_MIGRATION = '29991231000000_title_lengths';

/**
 * A copy of the sources with a further migration: `posts.title_length`, kept by triggers and filled in batches. Its
 * commands are bundled: from source each takes another half a second of processor time. `KILL_AT=inside:N` or
 * `KILL_AT=before:N` in the environment ends a process with SIGKILL in its Nth batch: after its rows were written, or
 * before.
 */
export async function copyNextRelease(): Promise<string> {
  const folder = path.join(await tempFolder(), 'next-release');
  for (const name of ['app', 'bin', 'prisma', 'package.json', 'tsconfig.json'])
    await cp(path.join(projectRoot, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
  for (const dialect of ['sqlite', 'postgresql'] as const) {
    const migration = path.join(folder, 'prisma', dialect, 'migrations', NEXT_MIGRATION);
    await mkdir(migration);
    await writeFile(path.join(migration, 'migration.sql'), sqlOf[dialect]);
  }
  await writeFile(path.join(folder, 'app/platform/database/backfills.server.ts'), source);
  await bundleCommands(folder);
  return folder;
}

/** Where `bin/run.mjs` looks for them. */
async function bundleCommands(folder: string): Promise<void> {
  await build({
    absWorkingDir: folder,
    entryPoints: { 'bin/dateline': 'bin/dateline.ts' },
    outdir: 'build',
    ...bundleOptions,
  });
}

const sqlOf: Record<Dialect, string> = {
  sqlite: `
ALTER TABLE "posts" ADD COLUMN "title_length" INTEGER;
ALTER TABLE "posts" ADD COLUMN "times_filled" INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER "title_length_inserted" AFTER INSERT ON "posts" BEGIN
  UPDATE "posts" SET "title_length" = length(NEW."title") WHERE "id" = NEW."id";
END;
CREATE TRIGGER "title_length_updated" AFTER UPDATE OF "title" ON "posts" BEGIN
  UPDATE "posts" SET "title_length" = length(NEW."title") WHERE "id" = NEW."id";
END;
`,
  postgresql: `
ALTER TABLE "posts" ADD COLUMN "title_length" INTEGER, ADD COLUMN "times_filled" INTEGER NOT NULL DEFAULT 0;
CREATE FUNCTION "follow_title_length"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."title_length" := length(NEW."title");
  RETURN NEW;
END $$;
CREATE TRIGGER "title_length_followed" BEFORE INSERT OR UPDATE OF "title" ON "posts"
FOR EACH ROW EXECUTE FUNCTION "follow_title_length"();
`,
};

const source = `
import { setTimeout as sleep } from 'node:timers/promises';
import type { Backfill } from './backfill.server.ts';

const [point, at] = (process.env.KILL_AT ?? '').split(':');
let batches = 0;
const arriveAt = (here: string) => {
  if (here === point && batches === Number(at)) process.kill(process.pid, 'SIGKILL');
};

export const backfills: readonly Backfill[] = [
  {
    migration: '${NEXT_MIGRATION}',
    table: 'posts',
    key: 'id',
    async fill(tx, { after, upTo }) {
      batches += 1;
      arriveAt('before');
      const posts = await tx.query<{ id: string; title: string }>(
        'SELECT id, title FROM posts WHERE id > $1 AND id <= $2 AND title_length IS NULL',
        [after, upTo],
      );
      // As long as work that only the code can do takes.
      await sleep(20);
      for (const { id, title } of posts)
        await tx.query('UPDATE posts SET title_length = $1, times_filled = times_filled + 1 WHERE id = $2', [
          [...title].length,
          id,
        ]);
      arriveAt('inside');
    },
  },
];
`;
