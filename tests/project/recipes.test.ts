import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';

const recipes = readFileSync(path.join(projectRoot, 'docs/recipes.md'), 'utf8').split(/^## /m).slice(1);
/** What stands in backquotes in a list and looks like a path. */
const filesOf = (recipe: string) =>
  [...recipe.matchAll(/^- .*(?:\n {2}.*)*/gm)].flatMap(([item]) =>
    [...item.matchAll(/`([\w.-]+(?:\/[\w.-]+)*)`/g)]
      .map(([, name]) => name!)
      .filter((name) => name.includes('/') || /\.(md|json)$/.test(name)),
  );

describe.each(recipes.map((recipe) => [recipe.split('\n')[0]!, filesOf(recipe)] as const))(
  '%s',
  (title, files) => {
    it('names files that exist', () => {
      expect(files).not.toEqual([]);
      expect(files.filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([]);
    });

    it('touches few files', () => {
      const most = title === 'A post field' ? 6 : 4;
      expect(new Set(files).size).toBeLessThanOrEqual(most);
    });
  },
);

it('there are twelve', () => {
  expect(recipes).toHaveLength(12);
});
