import { readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { verifyBackup } from '#app/backup/restore/verify-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { dialects } from '#tests/support/databases.ts';
import {
  arbitraryInstance,
  contentOf,
  sampleInstance,
  writeInstance,
  type Instance,
} from '#tests/support/instances.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const RUNS = process.env.NIGHTLY ? 100 : 4;

// At each commit from one database to the other; the instances are made at random.
const pairs = dialects.flatMap((from) => dialects.map((to) => [from, to] as const));
for (const [from, to] of pairs)
  if (from !== to || process.env.NIGHTLY)
    describe(`a backup of ${from} in ${to}`, () => {
      let source: TestApp;
      let target: TestApp;
      beforeAll(async () => {
        source = await createTestApp({ dialect: from });
        const variables = { AUTH_SECRET: 'another-secret-of-more-than-32-characters' };
        target = await createTestApp({ dialect: to, variables });
      });
      afterAll(() => Promise.all([source?.close(), target?.close()]));

      it('exports again to the same bytes, whatever the instance holds', { timeout: 600_000 }, async () => {
        const folder = await tempFolder();
        let run = 0;
        const property = async (instance: Instance, includeSecrets: boolean) => {
          run += 1;
          await clearUploads(source);
          await writeInstance(source, instance);
          const [first, second] = [path.join(folder, `first-${run}`), path.join(folder, `second-${run}`)];
          const exported = await exportBackup(source, { outputDir: first, includeSecrets });
          expect(exported.warnings).toEqual([]);
          await verifyBackup(target, { inputDir: first });
          // Who was erased in the target would stay so.
          await target.db.subscriberErasure.deleteMany();
          const imported = await importBackup(target, { inputDir: first, force: true });
          await exportBackup(target, { outputDir: second, includeSecrets });
          const [before, after] = [await filesOf(first), await filesOf(second)];
          // A redacted secret that the target never had cannot come back.
          const skipped = imported.skippedRedactedSecretKeys;
          const unequal =
            skipped.length === 0 ? {} : { 'tables/settings.jsonl': '', 'tables/webhooks.jsonl': '' };
          expect({ ...after, ...unequal }).toEqual({ ...before, ...unequal });
          if (includeSecrets) expect(skipped).toEqual([]);
        };
        const anything = fc.asyncProperty(arbitraryInstance(), fc.boolean(), property);
        await fc.assert(anything, { numRuns: RUNS, endOnFailure: true });
      });
    });

describe('a PostgreSQL database that sorts by the rules of a language', () => {
  it('exports the same bytes as SQLite', async () => {
    const instance = sampleInstance(12, 40);
    // A language puts the small letter first.
    for (const id of ['B', 'a', 'A', 'b'])
      instance.rows.embeds!.push({
        url: `https://video.example/watch?v=${id}`,
        details: '',
        fetched_at: '2026-11-20T08:00:00.000Z',
      });
    const [sqlite, icu] = await Promise.all([
      createTestApp({ dialect: 'sqlite' }),
      createTestApp({ dialect: 'postgresql', locale: 'en-US' }),
    ]);
    const folder = await tempFolder();
    const files = await Promise.all(
      [sqlite, icu].map(async (app, index) => {
        await writeInstance(app, instance);
        await exportBackup(app, { outputDir: path.join(folder, String(index)), includeSecrets: true });
        return filesOf(path.join(folder, String(index)));
      }),
    );
    expect(files[1]).toEqual(files[0]);
    await Promise.all([sqlite.close(), icu.close()]);
  });
});

describe('the same instance exported twice', () => {
  it.each(dialects)(
    'is the same bytes, and the database and files stay as they were (%s)',
    async (dialect) => {
      const app = await createTestApp({ dialect });
      await writeInstance(app, sampleInstance(5, 20));
      const before = await contentOf(app);
      const folder = await tempFolder();
      await exportBackup(app, { outputDir: path.join(folder, 'a') });
      await exportBackup(app, { outputDir: path.join(folder, 'b') });
      expect(await readFile(path.join(folder, 'a/manifest.json'), 'utf8')).toBe(
        await readFile(path.join(folder, 'b/manifest.json'), 'utf8'),
      );
      expect(await filesOf(path.join(folder, 'a'))).toEqual(await filesOf(path.join(folder, 'b')));
      expect(await contentOf(app)).toEqual(before);
      await app.close();
    },
  );
});

/** Path → content of every file but the manifest. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'manifest.json');
  const contents = await Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, file), await readFile(file, 'utf8')] as const;
    }),
  );
  return Object.fromEntries(contents);
}

async function clearUploads({ env }: TestApp): Promise<void> {
  await rm(env.uploadsDir, { recursive: true, force: true });
}
