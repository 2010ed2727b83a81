import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentSchema } from '#app/platform/env.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { scripts } from '#tests/support/package-scripts.ts';

const textOf = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');

/** What stands in backquotes in the first column of the tables in a piece of Markdown. */
const firstColumn = (markdown: string) =>
  [...markdown.matchAll(/^\| `([^`\s]+)[^`]*` \|/gm)].map(([, name]) => name!);

const section = (markdown: string, heading: string) =>
  markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';

describe('environment variables', () => {
  const variables = Object.keys(environmentSchema.shape);

  test('the table in docs/operations/configuration.md names exactly those that the code reads', () => {
    expect(firstColumn(textOf('docs/operations/configuration.md')).sort()).toEqual(variables.toSorted());
  });

  test('.env.example names exactly those, each once', () => {
    const named = [...textOf('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(
      ([, name]) => name!,
    );
    expect(named.sort()).toEqual(variables.toSorted());
  });
});

describe('commands', async () => {
  const folder = path.join(projectRoot, 'bin/commands');
  const modules = await Promise.all(
    readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .map(async (file) => Object.values((await import(path.join(folder, file))) as Record<string, unknown>)),
  );
  const definitions = modules.flat().filter(isDefinition);
  const names = definitions.map(({ command }) => command.split(' ')[0]!);
  const forOperators = names.filter((_, index) => definitions[index]!.describe !== false);

  test('are found', () => {
    expect(names).toContain('posts:publish-scheduled');
  });

  test('each has its npm script, and each script its command', () => {
    const run = Object.entries(scripts).filter(([, script]) => script.includes('bin/run.mjs '));
    for (const [name, script] of run) expect(script).toMatch(new RegExp(`^node bin/run.mjs ${name}$`));
    expect(run.map(([name]) => name).sort()).toEqual(forOperators.toSorted());
  });

  test('the table in the README names exactly those for operators', () => {
    expect(firstColumn(section(textOf('README.md'), 'Commands')).sort()).toEqual(forOperators.toSorted());
  });
});

function isDefinition(value: unknown): value is { command: string; describe: string | false } {
  return typeof (value as { command?: unknown } | null)?.command === 'string';
}

test('every relative link in the documents leads to a file', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...markdownBelow('docs')];
  const broken = documents.flatMap((document) =>
    [...textOf(document).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
      .map(([, link]) => path.join(projectRoot, path.dirname(document), link!))
      .filter((file) => !existsSync(file))
      .map((file) => `${document}: ${path.relative(projectRoot, file)}`),
  );
  expect(broken).toEqual([]);
});

test('every section of the contract that code, tests and documents refer to exists', () => {
  const sections = [...textOf('docs/contract.md').matchAll(/^## (\d+)\. /gm)].map(([, number]) => number!);
  const sources = ['app', 'bin', 'tests'].flatMap((folder) => filesBelow(folder, /\.(tsx?|mjs)$/));
  const referredTo = [...sources, ...markdownBelow('docs')].flatMap((file) =>
    [...textOf(file).matchAll(/contract[,.]?\s(?:\*\s|\/\/\s)?\(?sections? (\d+)(?: and (\d+))?/gi)].flatMap(
      ([, ...numbers]) => numbers.filter((number) => number !== undefined),
    ),
  );
  expect(new Set(referredTo).size).toBeGreaterThan(8);
  expect([...new Set(referredTo)].filter((number) => !sections.includes(number))).toEqual([]);
});

function filesBelow(folder: string, endings: RegExp): string[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => endings.test(file))
    .map((file) => path.join(folder, file));
}

function markdownBelow(folder: string): string[] {
  return filesBelow(folder, /\.md$/);
}
