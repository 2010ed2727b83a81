// How large a file or a folder may be, and which small files stay apart.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';

const tracked = execFileSync('git', ['ls-files', '-z', 'app', 'bin', 'prisma', 'tests'], {
  cwd: projectRoot,
  encoding: 'utf8',
}).split('\0');
const sources = new Map(
  tracked
    .filter((file) => /\.(ts|tsx|mjs|css)$/.test(file))
    .map((file) => [file, readFileSync(path.join(projectRoot, file), 'utf8')]),
);
const linesOf = (text: string) => text.split('\n').length - 1;

test('the sources are read', () => {
  expect(sources.size).toBeGreaterThan(1000);
});

test('app has at most 900 files', () => {
  expect([...sources.keys()].filter((file) => /^app\/.*\.tsx?$/.test(file)).length).toBeLessThanOrEqual(900);
});

test('no file has more than 400 lines', () => {
  const long = [...sources].map(([file, text]) => `${linesOf(text)} ${file}`);
  expect(long.filter((entry) => Number.parseInt(entry, 10) > 400)).toEqual([]);
});

/** Folders that have more than 26 files, and how many: the numbers only get smaller. */
const fullFolders: Record<string, number> = {
  'tests/http': 94,
  'tests/support': 92,
  'tests/browser': 50,
  'tests/integration/import': 39,
};

test('no folder has more than 26 files', () => {
  const counts = new Map<string, number>();
  for (const file of tracked) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
  const full = [...counts].filter(([folder, count]) => count > (fullFolders[folder] ?? 26));
  expect(full).toEqual([]);
});

/**
 * Files under 50 lines that one neighbour alone imports, which are not merged with it: each with its reason. A new one
 * is merged with its neighbour, or gets a reason here.
 */
const keptApart: Record<string, string> = {
  'app/admin/editor/text/use-live-editor.ts': 'loads the live editor late',
  'app/backup/format/tables-outside-backups.ts': 'the list of the tables that are in no backup',
  'app/operations/check-search.server.ts': 'one of five equal checks of doctor',
  'app/site/cards/cached.server.ts': 'its route holds no code of storage',
  'app/site/posts/comments.tsx': 'is looked for by its name',
  'app/web/cache/render-queue.ts': 'the order of renders, with a test of its own',
};

/** For each file of the product, the files that import it. */
function importers(): Map<string, Set<string>> {
  const found = new Map([...sources.keys()].map((file) => [file, new Set<string>()]));
  for (const [file, text] of sources) {
    if (file.startsWith('tests/')) continue;
    for (const [, name = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)) {
      const imported = name.startsWith('#') ? name.slice(1) : path.join(path.dirname(file), name);
      found.get(imported)?.add(file);
    }
  }
  return found;
}

test('a small file that one neighbour alone imports has a reason to stay apart', () => {
  const small = [...importers()].filter(([file, [only, ...others]]) => {
    const isSmall = /^app\/.*\.tsx?$/.test(file) && linesOf(sources.get(file)!) < 50;
    return isSmall && only && others.length === 0 && path.dirname(only) === path.dirname(file);
  });
  expect(small.length).toBeGreaterThan(5);
  expect(small.map(([file]) => file).filter((file) => !(file in keptApart))).toEqual([]);
});
