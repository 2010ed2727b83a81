import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { wxrFile } from '#tests/support/wxr.ts';

let app: TestApp;
beforeAll(async () => void (app = await createTestApp()));
afterAll(() => app?.close());

describe('an import that skips much', () => {
  let report: string;
  let args: string[];
  beforeAll(async () => {
    const input = await folderWith({
      'a.md': '---\ndate: 2026-01-01\n---\nText',
      'b.md': '---\ntitle: [\n---\n',
      'c.png': await picture(1),
    });
    report = path.join(await folderWith({}), 'report.jsonl');
    args = ['content:import', '--from', 'markdown', '--input', input, '--report', report];
  });
  const run = (...more: string[]) => runCommand([...args, ...more], { env: app.variables });

  it('says so in a dry run, which exits with 1', async () => {
    const dry = await run('--dry-run');
    expect([dry.code, dry.stderr.split('\n')[0]]).toEqual([
      1,
      'Dry run, nothing was written. Read as: markdown. Posts: 1 imported, 0 updated, 0 unchanged, 1 skipped, 1 ignored (1 .png), 0 warnings.',
    ]);
  });

  it('imports the rest, exits with 1, and reports every file', async () => {
    const first = await run();
    expect(first.code).toBe(1);
    expect(first.stderr.trimEnd().split('\n').at(-1)).toContain('--accept-skipped');
    expect(first.json()).toMatchObject({ imported: { posts: 1 }, ignored: { '.png': 1 } });
    const lines = (await readFile(report, 'utf8')).trimEnd().split('\n');
    const reason = expect.stringContaining('front matter') as string;
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { item: 'b.md', outcome: 'skipped', reason, warnings: [] },
      { item: 'c.png', outcome: 'ignored', reason: 'It is no post, and no post names it.', warnings: [] },
      { item: 'a.md', outcome: 'created', slug: 'a', warnings: [] },
    ]);
  });

  it('exits with 0 where that is accepted', async () => {
    const second = await run('--accept-skipped');
    expect([second.code, second.json()]).toMatchObject([0, { imported: { posts: 0 }, unchanged: 1 }]);
  });
});

describe('an import that finds no post says what is there instead', () => {
  const run = (from: string, input: string, ...more: string[]) =>
    runCommand(['content:import', '--from', from, '--input', input, ...more], { env: app.variables });

  it('and exits with 1 for a folder of other files, unless accepted', async () => {
    const input = await folderWith({
      'hugo.toml': 'baseURL = "https://old.example/"',
      'README.md': '# A theme',
      'a.css': '',
      'b.css': '',
    });
    const words = `No post was found in ${input}, read as hugo: what is there was ignored (2 .css, 1 .md, 1 .toml).`;
    const { code, stderr, json } = await run('markdown', input);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`\n${words}`)]);
    expect(json()).toMatchObject({
      dialect: 'hugo',
      skipped: [],
      ignored: { '.css': 2, '.md': 1, '.toml': 1 },
      warnings: [
        expect.stringMatching(/^No post was found.*--dialect markdown.*folder of the whole project/),
      ],
    });
    expect((await run('markdown', input, '--accept-skipped')).code).toBe(0);
    expect((await run('markdown', input, '--dialect', 'markdown')).json()).toMatchObject({
      imported: { posts: 1 },
    });
  });

  it('and exits with 0 for an empty folder and an export without items', async () => {
    const input = await folderWith({});
    const empty = await run('markdown', input);
    const words = `No post was found in ${input}: it holds no files.`;
    expect([empty.code, empty.stderr]).toEqual([0, expect.stringContaining(`\n${words}`)]);
    expect(empty.json().warnings).toEqual([expect.stringContaining(words)]);
    const folder = await folderWith({ 'x.xml': wxrFile([]), 'y.xml': wxrFile([{ id: 1, status: 'trash' }]) });
    for (const [file, what] of [
      ['x.xml', 'the export holds no items.'],
      ['y.xml', 'what is there was ignored (1 trash).'],
    ] as const) {
      const { code, stderr } = await run('wordpress', path.join(folder, file));
      expect([code, stderr]).toEqual([0, expect.stringContaining(`${file}: ${what}`)]);
    }
  });

  it('and an import whose dialect leaves out more files than it takes names them', async () => {
    const other = '---\ndate: 2026-01-01\n---\nText';
    const input = await folderWith({
      'hugo.toml': 'baseURL = "https://old.example/"',
      'content/posts/one.md': other,
      'data/two.md': other,
      'data/three.md': other,
      'themes/x/docs.md': other,
    });
    expect((await run('markdown', input)).json().warnings).toEqual([
      expect.stringMatching(/^2 Markdown files were left out.*\(the first: data\/three\.md\)/),
    ]);
  });

  it('and a file in place of a folder, or the other way round, is named as one', async () => {
    const input = await folderWith({ 'a.md': 'Text' });
    const file = path.join(input, 'a.md');
    expect((await run('markdown', file)).stderr).toBe(`${file} is a file: name the folder of it.\n`);
    expect((await run('wordpress', input)).stderr).toBe(`${input} is a folder: name a file in it.\n`);
  });
});
