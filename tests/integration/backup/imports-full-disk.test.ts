// What an operator reads when the disk gets full, or the database goes away, in the middle of an import.
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { recoverImport } from '#app/backup/restore/staging.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import type { MediaStore } from '#app/media/store/media-store.ts';
import { S3Refusal } from '#app/media/store/s3-client.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { createPost } from '#tests/support/factories.ts';
import { importResult } from '#tests/support/import.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const open: TestApp[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});
async function newApp() {
  const app = await createTestApp();
  open.push(app);
  return app;
}

function full(): Promise<never> {
  const error = new Error('ENOSPC: no space left on device, write');
  return Promise.reject(Object.assign(error, { code: 'ENOSPC', syscall: 'write' }));
}

/** The app with a media store of which some methods fail. */
function withStore(app: TestApp, methods: Partial<MediaStore>): TestApp {
  return { ...app, mediaStore: Object.assign(Object.create(app.mediaStore) as MediaStore, methods) };
}

const down = () => Promise.reject(new AppError('unavailable', 's3://bucket: the store cannot be reached.'));

/** A folder with one post that shows a picture. */
async function postWithPicture() {
  const files = {
    'one.md': '---\ntitle: One\ndate: 2026-01-01\n---\n![a](a.png)',
    'a.png': await picture(1),
  };
  return { from: 'markdown', input: await folderWith(files) } as const;
}

async function postWithSixPictures() {
  const names = Array.from({ length: 6 }, (_, index) => `${index}.png`);
  const text = names.map((name) => `![a](${name})`).join('\n\n');
  const pictures = await Promise.all(names.map(async (name, index) => [name, await picture(index)] as const));
  const files = { 'one.md': `---\ndate: 2026-01-01\n---\n${text}`, ...Object.fromEntries(pictures) };
  return { from: 'markdown', input: await folderWith(files) } as const;
}

/** A backup of one post and one picture. */
async function makeBackup() {
  const app = await newApp();
  await storeMedia(app, { bytes: await picture(1), originalName: 'a.png', uploadedById: null });
  await createPost(app, { slug: 'from-the-backup' });
  const outputDir = path.join(await tempFolder(), 'backup');
  await exportBackup(app, { outputDir });
  return outputDir;
}

test('an import of a backup names the folder that is full, and changes nothing', async () => {
  const app = await newApp();
  const put = app.mediaStore.put.bind(app.mediaStore);
  const store = {
    put: (name: string, ...rest: [never]) => (name.startsWith('.') ? put(name, ...rest) : full()),
  };
  await expect(importBackup(withStore(app, store), { inputDir: await makeBackup() })).rejects.toThrow(
    `There is no room left in ${app.env.uploadsDir} (ENOSPC). Make room there, and run it again; nothing half-written is left.`,
  );
  expect(await app.db.post.count()).toBe(0);
});

test('an import of a backup whose clean-up fails says that the site is the new one', async () => {
  const app = await newApp();
  const { message } = await importBackup(withStore(app, { delete: full }), {
    inputDir: await makeBackup(),
  }).then(
    () => new Error('No failure'),
    (error: unknown) => error as Error,
  );
  expect(message).toMatch(
    /^The backup is imported, but .* \(ENOSPC.*\)\. The next start of a command or of the server/,
  );
  expect(await app.db.post.count({ where: { slug: 'from-the-backup' } })).toBe(1);
  await recoverImport(app);
  expect(await app.db.importJournal.count()).toBe(0);
});

test('an import of posts names the folder that is full, and continues when there is room', async () => {
  const app = await newApp();
  const options = await postWithPicture();
  await expect(importResult(withStore(app, { put: full }), options)).rejects.toThrow(
    `There is no room left in ${app.env.uploadsDir} (ENOSPC).`,
  );
  expect((await importResult(app, options)).imported).toMatchObject({ posts: 1, media: 1 });
});

test('an import of posts ends while the media store does not answer, and imports no post without its pictures', async () => {
  const app = await newApp();
  const options = await postWithPicture();
  const away = withStore(app, { folder: null, put: down, check: down });
  await expect(importResult(away, options)).rejects.toThrow('s3://bucket: the store cannot be reached.');
  expect(await app.db.post.count()).toBe(0);
});

test('an import of posts names a picture that the media store fails to store, and the next run brings it', async () => {
  const app = await newApp();
  const options = await postWithPicture();
  const failing = withStore(app, { folder: null, put: down, check: () => Promise.resolve() });
  const { imported, warnings } = await importResult(failing, options);
  expect(imported).toMatchObject({ posts: 1, media: 0 });
  expect(warnings).toEqual([
    'one.md: a.png: s3://bucket: the store cannot be reached. Run the import again to add it.',
  ]);
  expect(await importResult(app, options)).toMatchObject({
    updated: 1,
    imported: { media: 1 },
    warnings: [],
  });
  expect((await app.db.post.findFirstOrThrow()).body).toContain('](/uploads/');
  expect(await importResult(app, options)).toMatchObject({ updated: 0, unchanged: 1 });
});

test('a picture that the media store failed to store at first replaces no text that was edited since', async () => {
  const app = await newApp();
  const options = await postWithPicture();
  const failing = withStore(app, { folder: null, put: down, check: () => Promise.resolve() });
  await importResult(failing, options);
  const { id: postId } = await app.db.post.findFirstOrThrow();
  await editPost(app, { postId, intent: 'save', fields: { title: 'Edited here' }, editorId: null });
  expect(await importResult(app, options)).toMatchObject({
    updated: 0,
    unchanged: 1,
    warnings: [
      'one.md: The post was changed here, so it stays as it is, without what was missing before: a.png. Add it there by hand.',
    ],
  });
  expect(await app.db.post.findFirstOrThrow()).toMatchObject({ title: 'Edited here' });
});

test('an import of posts ends at a media store that answers and stores no file', async () => {
  const app = await newApp();
  const failing = withStore(app, { folder: null, put: down, check: () => Promise.resolve() });
  await expect(importResult(failing, await postWithSixPictures())).rejects.toThrow(
    's3://bucket: the store cannot be reached. It has stored none of the last 5 files. Run the import again when it stores files: it continues where it stopped.',
  );
  expect(await app.db.post.count()).toBe(0);
});

test('an import of posts goes on where the media store refuses many files for what they are, such as their size', async () => {
  const app = await newApp();
  const message = 's3://bucket: the store answers 413.';
  const tooLarge = () =>
    Promise.reject(new AppError('unavailable', message, { cause: new S3Refusal(413, '') }));
  const limited = withStore(app, { folder: null, put: tooLarge, check: () => Promise.resolve() });
  const options = await postWithSixPictures();
  const { imported, warnings } = await importResult(limited, options);
  expect(imported).toMatchObject({ posts: 1, media: 0 });
  expect(warnings).toEqual(Array.from({ length: 6 }, (_, index) => `one.md: ${index}.png: ${message}`));
  expect(await importResult(limited, options)).toMatchObject({ updated: 0, unchanged: 1, warnings: [] });
});

test('an import of posts stores a picture that the media store refused a moment ago', async () => {
  const app = await newApp();
  const put = app.mediaStore.put.bind(app.mediaStore);
  let failures = 0;
  const store: Partial<MediaStore> = {
    folder: null,
    put: (...args) => ((failures += 1) === 1 ? down() : put(...args)),
    check: () => Promise.resolve(),
  };
  const { imported, warnings } = await importResult(withStore(app, store), await postWithPicture());
  expect({ imported, warnings }).toMatchObject({ imported: { posts: 1, media: 1 }, warnings: [] });
});

test('an import of posts ends at a bucket that may be read but not written, and imports no post without its pictures', async () => {
  const app = await newApp();
  const message = 's3://bucket: access is denied (403 AccessDenied).';
  const denied = () =>
    Promise.reject(new AppError('unavailable', message, { cause: new S3Refusal(403, 'AccessDenied') }));
  const readOnly = withStore(app, { folder: null, put: denied, check: () => Promise.resolve() });
  await expect(importResult(readOnly, await postWithPicture())).rejects.toThrow(message);
  expect(await app.db.post.count()).toBe(0);
});

test('a database that fails in the middle of a command is named', async () => {
  const app = await newApp();
  await app.db.$disconnect();
  const body = 'word '.repeat(20_000);
  const names = Array.from({ length: 30 }, (_, index) => `${index}.md`);
  const input = await folderWith(
    Object.fromEntries(names.map((name) => [name, `---\ndate: 2026-01-01\n---\n${body}`])),
  );
  const command = ['content:import', '--from', 'markdown', '--input', input];
  const { code, stdout, stderr } = await runCommand(command, { env: app.variables, fileSizeMax: 1_500_000 });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trim().split('\n').at(-1)).toMatch(
    /^The database named by DATABASE_URL cannot be used: disk I\/O error$/,
  );
});
