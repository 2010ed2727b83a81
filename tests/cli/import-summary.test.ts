import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';

let app: TestApp;
beforeAll(async () => void (app = await createTestApp()));
afterAll(() => app?.close());

it('an import that skips much says so, exits with 1 unless accepted, and reports every file', async () => {
  const input = await folderWith({
    'a.md': '---\ndate: 2026-01-01\n---\nText',
    'b.md': '---\ntitle: [\n---\n',
    'c.png': await picture(1),
  });
  const report = path.join(await folderWith({}), 'report.jsonl');
  const args = ['content:import', '--from', 'markdown', '--input', input, '--report', report];
  const run = (...more: string[]) => runCommand([...args, ...more], { env: app.variables });
  const dry = await run('--dry-run');
  expect([dry.code, dry.stderr.split('\n')[0]]).toEqual([
    1,
    'Dry run, nothing was written. Read as: markdown. Posts: 1 imported, 0 updated, 0 unchanged, 1 skipped, 1 ignored (1 .png), 0 warnings.',
  ]);
  const first = await run();
  expect(first.code).toBe(1);
  expect(first.stderr.trimEnd().split('\n').at(-1)).toContain('--accept-skipped');
  expect(first.json()).toMatchObject({ imported: { posts: 1 }, ignored: { '.png': 1 } });
  const lines = (await readFile(report, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      item: 'b.md',
      outcome: 'skipped',
      reason: expect.stringContaining('front matter') as string,
      warnings: [],
    },
    { item: 'c.png', outcome: 'ignored', reason: 'It is no post, and no post names it.', warnings: [] },
    { item: 'a.md', outcome: 'created', slug: 'a', warnings: [] },
  ]);
  const second = await run('--accept-skipped');
  expect([second.code, second.json()]).toMatchObject([0, { imported: { posts: 0 }, unchanged: 1 }]);
});
