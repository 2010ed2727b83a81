import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { runRefusedCalls, type RefusedCall } from '#tests/support/refused-calls.ts';
import { wxrFile, wxrHead, wxrItem } from '#tests/support/wxr.ts';

let app: TestApp;
beforeAll(async () => void (app = await createTestApp()));
afterAll(() => app?.close());

const importWordpress = async (xml: string, ...options: string[]) => {
  const folder = await folderWith({ 'x.xml': xml });
  const args = ['--from', 'wordpress', '--input', path.join(folder, 'x.xml'), ...options];
  return runCommand(['content:import', ...args], { env: app.variables });
};

describe('a WXR file that ends too early', () => {
  const items = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => wxrItem({ id: from + index })).join('');
  const warning = (count: number) => `The file is cut off: it ends after ${count} whole items.`;

  it('brings its whole items, says how many there are, and exits with 1', async () => {
    const { code, stderr, json } = await importWordpress(wxrHead() + items(1, 4));
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      'The file is cut off. Export it again, or accept it with --accept-truncated.',
    );
    expect(json()).toMatchObject({ imported: { posts: 3 }, warnings: [warning(3)] });
  });

  it('is cut off too where it ends inside an item or before the first', async () => {
    const inside = await importWordpress(wxrHead() + items(11, 13) + wxrItem({ id: 13 }).slice(0, 300));
    expect([inside.code, inside.json().warnings]).toEqual([1, [warning(2)]]);
    const before = await importWordpress(wxrHead());
    expect([before.code, before.json().warnings]).toEqual([1, [warning(0)]]);
  });

  it('exits with 0 and --accept-truncated, and with the warning all the same', async () => {
    const cut = wxrHead() + items(21, 23) + wxrItem({ id: 23 }).slice(0, 300);
    expect((await importWordpress(cut, '--accept-skipped')).code).toBe(1);
    const { code, json } = await importWordpress(cut, '--accept-truncated');
    expect([code, json().warnings]).toEqual([0, [warning(2)]]);
    // A damaged item before the end counts as skipped all the same.
    const damaged = wxrHead() + wxrItem({ id: 24 }).slice(0, 300) + items(25, 27);
    const other = await importWordpress(damaged, '--accept-truncated');
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('--accept-skipped')]);
  });

  it('is not one whose last text names the end', async () => {
    const whole = await importWordpress(wxrFile([{ id: 31 }]));
    expect([whole.code, whole.json().warnings]).toEqual([0, []]);
    const named = wxrHead() + wxrItem({ id: 32, content: '<p></channel></rss></p>' });
    expect((await importWordpress(named)).code).toBe(1);
  });
});

describe('an option that takes one value and is given twice is a usage error', () => {
  const calls: [option: string, ...args: string[]][] = [
    ['from', 'content:import', '--from', 'markdown', '--from', 'ghost', '--input', '.'],
    ['input', 'content:import', '--from', 'markdown', '--input', '.', '--input', '.'],
    ['report', 'content:import', '--from', 'markdown', '--input', '.', '--report=a', '--report=b'],
    ['dry-run', 'content:import', '--from', 'markdown', '--input', '.', '--dry-run', '--no-dry-run'],
    ['to', 'content:export', '--to', 'markdown', '--to', 'markdown', '--output', 'x'],
    ['output', 'backup:export', '--output', 'x', '--output', 'y'],
    ['input', 'backup:verify', '--input', 'x', '--input', 'x'],
    ['force', 'backup:import', '--input', 'x', '--force', '--force'],
    ['batch-size', 'search:reindex-posts', '--batch-size', '5', '--batchSize', '6'],
    ['slug-prefix', 'search:reindex-posts', '--slug-prefix', 'a', '--slug-prefix', 'b'],
    ['repair', 'search:check-index', '--repair', '--repair'],
  ];
  let refused: RefusedCall[];
  beforeAll(async () => {
    const all = calls.map(([, ...args]) => args);
    refused = await runRefusedCalls(all, app.variables);
  });

  it.each(calls.map(([option, command], index) => ({ option, command, index })))(
    '--$option: $command',
    (each) => {
      const { code, stdout, stderr } = refused[each.index]!;
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr.trimEnd().split('\n').at(-1)).toBe(`--${each.option} is given more than once.`);
    },
  );
});
