// What a folder or bucket of backups shares between them.
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '#app/backup/restore/read-manifest.server.ts';
import { verifyBackup } from '#app/backup/restore/verify-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { BackupPlace, backupName } from '#app/backup/write/place.server.ts';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import { FileStore } from '#app/media/store/folder.server.ts';
import { S3Store } from '#app/media/store/s3.server.ts';
import { mediaTarget, type S3Target } from '#app/platform/media-target.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { picture } from '#tests/support/images.ts';
import { standInCredentials, standInVariables, startS3StandIn } from '#tests/support/s3/stand-in.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const HOUR_MS = 3_600_000;
let app: TestApp;
/** Two exports; the second has another picture. */
const exports: string[] = [];
let shared: string[];

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  for (const seed of [1, 2]) {
    await storeMedia(app, { bytes: await picture({ seed }), originalName: 'a.jpg', uploadedById: null });
    const outputDir = path.join(await tempFolder(), 'backup');
    await exportBackup(app, { outputDir });
    exports.push(outputDir);
  }
  shared = (await readManifest(exports[0]!)).media.map(({ path: file }) => `media/${file}`);
  expect(shared.length).toBeGreaterThan(0);
});
afterAll(() => app?.close());

/** Stores an export as the backup of an hour. @returns its name */
async function store(place: BackupPlace, folder: string, hour: number): Promise<string> {
  const createdAt = new Date(app.clock.now().getTime() + hour * HOUR_MS);
  const name = backupName(createdAt);
  await place.uploadFolder(folder, name, createdAt);
  await place.writeStatus(name, { createdAt: createdAt.toISOString(), verified: true, proven: null });
  return name;
}

describe('media files that the newest backup holds', () => {
  it('are links in a folder; a damaged one is stored anew', async () => {
    const folder = await tempFolder();
    const place = new BackupPlace(new FileStore(folder, { isPrivate: true }));
    const first = await store(place, exports[0]!, 0);
    const second = await store(place, exports[1]!, 1);
    const inodeOf = async (name: string, file: string) => (await stat(path.join(folder, name, file))).ino;
    for (const file of shared) expect(await inodeOf(second, file)).toBe(await inodeOf(first, file));
    expect(await inodeOf(second, 'tables/media.jsonl')).not.toBe(await inodeOf(first, 'tables/media.jsonl'));
    await place.remove(first);
    expect(await verifyBackup(app, { inputDir: path.join(folder, second) })).toMatchObject({ valid: true });

    const damaged = path.join(folder, second, shared[0]!);
    await writeFile(damaged, (await readFile(damaged)).fill(0));
    const third = await store(place, exports[1]!, 2);
    expect(await verifyBackup(app, { inputDir: path.join(folder, third) })).toMatchObject({ valid: true });
  });

  it('are copied inside a bucket: their bytes travel neither there nor back', async () => {
    const standIn = await startS3StandIn();
    const address = standInVariables(standIn, 'backups').MEDIA_STORE!;
    const bucket = new S3Store(mediaTarget(address, standInCredentials, '--to') as S3Target);
    const place = new BackupPlace(bucket);
    const first = await store(place, exports[0]!, 0);
    const before = standIn.requests.length;
    const second = await store(place, exports[1]!, 1);
    const at = (name: string, file: string) => standIn.objects.get(`backups/${name}/${file}`);
    for (const file of shared) expect(at(second, file)).toBe(at(first, file));
    const reads = standIn.requests.slice(before).filter((request) => request.startsWith('GET'));
    expect(reads.filter((request) => shared.some((file) => request.endsWith(file)))).toEqual([]);
    const { media } = await readManifest(exports[1]!);
    expect(media.every(({ path: file }) => at(second, `media/${file}`))).toBe(true);
    bucket.close();
    await standIn.close();
  });
});
