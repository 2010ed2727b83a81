// A GIF that is too large to be encoded again is kept as it is.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { animation } from '#tests/support/images.ts';
import { counts, importResult } from '#tests/support/import.ts';

/** A comment of that many bytes, which decoders pass over. */
function withComment(gif: Buffer, bytes: number): Buffer {
  const block = Buffer.concat([Buffer.from([255]), Buffer.alloc(255, 'x')]);
  const blocks = Array.from({ length: Math.ceil(bytes / 255) }, () => block);
  return Buffer.concat([gif.subarray(0, -1), Buffer.from([0x21, 0xfe]), ...blocks, Buffer.from([0, 0x3b])]);
}

describe('a GIF of many frames or bytes', () => {
  let app: TestApp;
  let input: string;
  let gifs: Buffer[];
  beforeAll(async () => {
    app = await createTestApp();
    gifs = [await animation(301, 8, 6), withComment(await animation(2, 8, 6), 26 * 1024 * 1024)];
    input = await folderWith({
      'post.md': '---\ntitle: Moving\ndate: 2024-05-01\n---\n![Long](long.gif)\n\n![Large](large.gif)\n',
      'long.gif': gifs[0]!,
      'large.gif': gifs[1]!,
    });
  });
  afterAll(() => app?.close());

  it('comes in unchanged, and its post shows it', async () => {
    const result = await importResult(app, { from: 'markdown', input });
    expect(result).toMatchObject({ imported: counts({ posts: 1, media: 2 }), warnings: [] });
    const media = await app.db.media.findMany({ orderBy: { bytes: 'asc' } });
    const { bodyHtml } = await app.db.post.findFirstOrThrow();
    expect(media).toHaveLength(2);
    for (const [index, { path: file, mimeType, width, height }] of media.entries()) {
      expect([mimeType, width, height]).toEqual(['image/gif', 8, 6]);
      const stored = await readFile(path.join(app.env.uploadsDir, file));
      expect(stored.equals(gifs[index]!)).toBe(true);
      expect(bodyHtml).toMatch(new RegExp(`<img src="/uploads/${file}"[^>]* width="8"`));
    }
  });

  it('comes in once', async () => {
    const again = await importResult(app, { from: 'markdown', input });
    expect(again).toMatchObject({ imported: counts(), unchanged: 1 });
  });
});

it('a damaged one is skipped with the reason', async () => {
  const app = await createTestApp();
  const input = await folderWith({
    'post.md': '---\ntitle: Moving\ndate: 2024-05-01\n---\n![Large](large.gif)\n',
    'large.gif': Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(26 * 1024 * 1024)]),
  });
  try {
    const { imported, warnings } = await importResult(app, { from: 'markdown', input });
    expect(imported).toEqual(counts({ posts: 1 }));
    expect(warnings.join()).toMatch(/large\.gif.*too large: at most 25 MB/);
  } finally {
    await app.close();
  }
});
