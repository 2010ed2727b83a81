import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';

const textOf = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');

/** The text of every source and document below some folders, with the names of the files. */
function textBelow(folders: string[], endings: RegExp, except?: string): string {
  return folders
    .flatMap((folder) =>
      readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter((file) => endings.test(file) && file !== except)
    .map((file) => `${file}\n${textOf(file)}`)
    .join('\n');
}

const rows = [...textOf('docs/glossary.md').matchAll(/^\| (?!Term|-)(.+?) \| (.+) \| `(.+)` \|$/gm)];
const terms = rows.map(([, term]) => term!);
const code = textBelow(['app', 'bin'], /\.(tsx?|mjs)$/);

test('every term occurs in the code or in another document', () => {
  const documents = textBelow(['docs'], /\.md$/, 'docs/glossary.md') + textOf('README.md');
  // `pendingSubmission` and `pending-submission` are pending submissions too.
  const joined = (text: string) => text.toLowerCase().replace(/[\s_*/-]+/g, '');
  const everything = joined(`${code}\n${documents}`);
  expect(terms.length).toBeGreaterThan(20);
  expect(terms.filter((term) => !everything.includes(joined(term)))).toEqual([]);
});

test('what a term is in the code is there', () => {
  expect(rows.map(([, , , name]) => name!).filter((name) => !code.includes(name))).toEqual([]);
});

test('the terms are in order, each in one line', () => {
  expect(terms).toEqual([...new Set(terms)].sort());
  expect(rows.map(([row]) => row.length).filter((length) => length > 180)).toEqual([]);
});

test('the README and docs/architecture.md lead to the glossary', () => {
  expect(textOf('README.md')).toContain('(docs/glossary.md)');
  expect(textOf('docs/architecture.md')).toContain('(glossary.md)');
});
