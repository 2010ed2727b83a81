import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { folderOf, folderWith, picture } from '#tests/support/content-folders.ts';
import { createPost, createPosts } from '#tests/support/factories.ts';
import { counts } from '#tests/support/import.ts';
import { runRefusedCalls, type RefusedCall } from '#tests/support/refused-calls.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';
import { blogUrl, wxrFile } from '#tests/support/wxr.ts';

let app: TestApp;
beforeAll(async () => void (app = await createTestApp()));
afterAll(() => app.close());

const run = (...args: string[]) => runCommand(args, { env: app.variables });

describe('content:import and content:export', () => {
  describe('of a WordPress blog', () => {
    let folder: string;
    let args: string[];
    beforeAll(async () => {
      const content = `<p>Text</p><img src="${blogUrl}/wp-content/uploads/a.png">`;
      const xml = wxrFile([
        { id: 1, slug: 'one', content },
        { id: 2, status: 'trash' },
      ]);
      folder = await folderWith({ 'x.xml': xml, 'uploads/a.png': await picture(1) });
      const input = path.join(folder, 'x.xml');
      const [media, report] = [path.join(folder, 'uploads'), path.join(folder, 'report.jsonl')];
      args = ['--from', 'wordpress', '--input', input, '--media', media, '--report', report];
    });
    const readReport = async () =>
      (await readFile(path.join(folder, 'report.jsonl'), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
    const ignored = {
      ...{ item: 'old.example/?p=2', outcome: 'ignored', reason: 'It is in the trash.', warnings: [] },
    };

    it('bring it in, print the result and report on each item', async () => {
      const imported = await run('content:import', ...args);
      expect(imported.code, imported.stderr).toBe(0);
      expect(imported.stderr).toBe(
        'Posts: 1 imported, 0 updated, 0 unchanged, 0 skipped, 1 ignored (1 trash), 0 warnings.\n',
      );
      expect(imported.json()).toEqual({
        source: 'wordpress',
        dialect: null,
        imported: counts({ posts: 1, media: 1, redirects: 1 }),
        updated: 0,
        unchanged: 0,
        skipped: [],
        ignored: { trash: 1 },
        warnings: [],
      });
      expect(await readReport()).toEqual([
        ignored,
        { item: 'old.example/?p=1', outcome: 'created', slug: 'one', warnings: [] },
      ]);
    });

    it('report what a second run leaves unchanged', async () => {
      await run('content:import', ...args);
      expect(await readReport()).toEqual([
        ignored,
        { item: 'old.example/?p=1', outcome: 'unchanged', warnings: [] },
      ]);
    });

    it('take it out as Markdown, which goes into another instance', async () => {
      const output = path.join(folder, 'export');
      const exported = await run('content:export', '--to', 'markdown', '--output', output);
      expect(exported.code, exported.stderr).toBe(0);
      expect(exported.json()).toEqual({ outputDir: output, postCount: 1, mediaFileCount: 1 });
      const names = Object.keys(await folderOf(output));
      expect(names).toEqual([expect.stringMatching(/^media\/\w{32}\.png$/) as string, 'posts/one.md']);
      const other = await createTestApp();
      try {
        const again = await runCommand(['content:import', '--from', 'markdown', '--input', output], {
          env: other.variables,
        });
        expect(again.json()).toMatchObject({ imported: { posts: 1, media: 1, redirects: 1 }, warnings: [] });
      } finally {
        await other.close();
      }
    });
  });

  const wrong: [args: string[], message: string][] = [
    [
      ['content:import', '--from', 'ghost', '--input', 'x', '--permalink', '/:yaer/:title'],
      '--permalink has no word :yaer',
    ],
    [
      ['content:import', '--from', 'markdown', '--input', 'x', '--permalink', '/blog/'],
      '--permalink needs a word that differs from post to post',
    ],
    [['content:import', '--from', 'ghost', '--input', 'x', '--dialect', 'hugo'], '--dialect does not go'],
    [['content:import', '--from', 'markdown', '--input', 'x', '--dialect', 'geocities'], 'Invalid values'],
    [
      ['content:import', '--from', 'medium', '--input', 'x', '--redirects', 'y'],
      '--redirects does not go with',
    ],
    [['content:import', '--from', 'drupal', '--input', 'x'], 'Invalid values'],
    [['content:import', '--from', 'ghost'], 'input'],
    [['content:import', '--from', 'ghost', '--input', 'x', '--report'], 'report'],
    [['content:export', '--output', 'x'], 'to'],
    [['content:export', '--to', 'word', '--output', 'x'], 'Invalid values'],
    [['content:export', '--to', 'markdown'], 'output'],
    [['content:export', '--to', 'markdown', '--output', 'x', '--all'], 'Unknown argument'],
  ];
  let refused: RefusedCall[];
  beforeAll(async () => {
    const all = wrong.map(([args]) => args);
    refused = await runRefusedCalls(all, app.variables);
  });

  it.each(wrong.map(([args, message], index) => ({ args, message, index })))(
    '$args is a usage error',
    (each) => {
      const { code, stdout, stderr } = refused[each.index]!;
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(each.message);
    },
  );

  it('refuse in one line, with exit code 1 and nothing on stdout', async () => {
    const folder = await folderWith({ 'a.txt': 'x' });
    const text = path.join(folder, 'a.txt');
    const wordpress = ['content:import', '--from', 'wordpress', '--input'];
    const refusals: [string[], RegExp][] = [
      [['content:export', '--to', 'markdown', '--output', folder], /^The folder .* is not empty/],
      [[...wordpress, path.join(folder, 'none.xml')], /^There is no file /],
      [[...wordpress, text], /^This is not a WordPress export/],
      [
        ['content:import', '--from', 'markdown', '--input', folder, '--report', text],
        /^.*a\.txt is not a report/,
      ],
    ];
    for (const [args, line] of refusals) {
      const { code, stdout, stderr } = await run(...args);
      const lines = stderr.trimEnd().split('\n').length;
      expect({ code, stdout, lines }).toEqual({ code: 1, stdout: '', lines: 1 });
      expect(stderr).toMatch(line);
    }
    expect(await readFile(text, 'utf8')).toBe('x');
  });

  it('take a name of the front matter in a scheme of Hexo', async () => {
    const folder = await folderWith({
      'source/_posts/a.md': '---\ntitle: A\ndate: 2020-01-01\nabbrlink: dc84\n---\nText.\n',
    });
    const args = [
      '--from',
      'markdown',
      '--dialect',
      'hexo',
      '--permalink',
      '/p/:abbrlink/',
      '--input',
      folder,
    ];
    const { code, stderr } = await run('content:import', ...args);
    expect(code, stderr).toBe(0);
    expect(await app.db.redirect.findMany({ select: { path: true } })).toContainEqual({ path: '/p/dc84' });
  });

  it('say on stderr what an export leaves out', async () => {
    await createPost(app, { body: '![x](/uploads/2020/01/none.png)' });
    const output = path.join(await tempFolder(), 'export');
    const { code, stderr } = await run('content:export', '--to', 'markdown', '--output', output);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'uploads/2020/01/none.png stays where it is: it cannot be read.\n',
    });
  });

  it('leave nothing half-written when an export is stopped', async () => {
    await createPosts(app, 150, { body: 'text '.repeat(5_000) });
    const parent = await tempFolder();
    const output = path.join(parent, 'export');
    const exporting = startScript('bin/run.mjs', ['content:export', '--to', 'markdown', '--output', output], {
      env: app.variables,
    });
    while (exporting.child.exitCode === null && (await readdir(parent)).length === 0) await sleep(1);
    exporting.child.kill('SIGTERM');
    // A machine may be quick enough to finish first; then there is a whole export.
    if ((await exporting.ended) === 0) expect(await readdir(parent)).toEqual(['export']);
    else expect([exporting.stderr(), await readdir(parent)]).toEqual(['Stopped.\n', []]);
  }, 300_000);

  it('leave whole posts and no report when an import is stopped', async () => {
    const items = Array.from({ length: 150 }, (_, index) => ({
      id: 1_000 + index,
      slug: `stopped-${index}`,
    }));
    const folder = await folderWith({ 'x.xml': wxrFile(items) });
    const before = await app.db.post.count();
    const args = ['content:import', '--from', 'wordpress', '--input', path.join(folder, 'x.xml')];
    const importing = startScript('bin/run.mjs', [...args, '--report', path.join(folder, 'r.jsonl')], {
      env: app.variables,
    });
    while (importing.child.exitCode === null && (await app.db.post.count()) === before) await sleep(5);
    importing.child.kill('SIGTERM');
    if ((await importing.ended) === 0) return;
    expect(importing.stderr()).toBe('Stopped.\n');
    expect(await readdir(folder)).toEqual(['x.xml']);
    const written = (await app.db.post.count()) - before;
    expect((await run(...args)).json()).toMatchObject({ imported: { posts: items.length - written } });
  }, 300_000);
});
