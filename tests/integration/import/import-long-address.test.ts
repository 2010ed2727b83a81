import { expect, test } from 'vitest';
import { describeWithApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';

describeWithApp('a Markdown file with an old address that no index of PostgreSQL takes', (getApp) => {
  test('becomes a post without it, and the report says so', async () => {
    // No two letters are the same: PostgreSQL compresses what repeats.
    const long = Array.from({ length: 950 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    const folder = await folderWith({ 'a.md': `---\ndate: 2026-01-01\naliases: [/${long}, /short]\n---\n` });
    const { imported, skipped, warnings } = await importResult(getApp(), {
      from: 'markdown',
      input: folder,
      dryRun: false,
    });
    expect({ imported, skipped }).toMatchObject({ imported: { posts: 1, redirects: 1 }, skipped: [] });
    expect(warnings).toEqual([
      expect.stringMatching(/^a\.md: The old address \/.{98}… is no path, or too long/u),
    ]);
  });
});
