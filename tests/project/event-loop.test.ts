// Work that grows faster than its input, or with what anybody sends, runs in worker threads. These lists name every place
// with a diff, a regular expression with nested repetition, or a sort, and say why it holds up no request.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';

/** Imports and backups run in commands, and what an import reads in a thread. Views of pages show what is loaded. */
const isOnEventLoop = (file: string) => !/^app\/(?:import|export|backup)\/|\.tsx$/.test(file);

const diffs: Record<string, string> = {
  'app/posts/history/compare-pages.ts diffArrays': 'bounded edits, in a worker (`comparePages`)',
  'app/posts/history/compare-passages.ts diffArrays':
    'bounded edits, in a worker (`comparePassages`, `mergeTexts`)',
  'app/posts/history/compare-texts.ts diffArrays': 'bounded edits, in a worker (`compareTexts`)',
  'app/posts/history/compare-texts.ts diffLines': 'bounded edits, in a worker (`compareTexts`)',
};

/** Each repetition begins with a character that the one before it excludes, so there is one way to match. */
const expressions: Record<string, string> = {
  'app/admin/editor/live/blocks/link-field.ts': 'in the browser',
  'app/admin/editor/live/media/text.ts': 'in the browser',
  'app/admin/editor/live/blocks/inline-parts.ts': 'in the browser',
  'app/feeds/markup.ts': 'an attribute begins with a space',
  'app/newsletter/subscribers.server.ts': 'at most 254 characters, of which a dot ends each repetition',
  'app/platform/text/slug.ts': 'at most 800 characters, of which a hyphen ends each repetition',
  'app/posts/markdown/figures.ts': 'one line, in a worker',
  'app/posts/markdown/gfm.ts': 'a label begins with a dot, in a worker',
  'app/posts/markdown/math.ts': 'a backslash is excluded, in a worker',
  'app/posts/markdown/text.ts': 'a part begins with a mark, in a worker',
  'app/posts/history/merge-paragraphs.ts': 'a line feed ends each repetition, in a worker',
  'app/posts/pictures/public-image.ts': 'quotes are excluded',
  'app/search/text-from-html.ts': 'quotes are excluded',
  'app/search/words.ts': 'a part begins with a dot',
  'app/settings/groups/presentation.ts': 'at most 200 characters',
  'app/site/shell/site-view.ts': 'quotes are excluded',
};

const sorts: Record<string, string[]> = {
  'categories, tags or accounts, as a screen lists them': [
    ...['admin/audit/audit', 'admin/editor/model/data', 'admin/posts/posts'],
    ...['admin/users/users', 'admin/webhooks/webhooks', 'posts/lists/pages', 'posts/terms/queries'],
  ].map((file) => `${file}.server.ts`),
  'a page of rows, read with a limit': [
    'admin/calendar/calendar.server.ts',
    'admin/dashboard/dashboard.server.ts',
    'admin/palette/find.server.ts',
    'media/library/queries.server.ts',
    'publishing/media/change.server.ts',
    'publishing/media/make-avif-copies.server.ts',
    'publishing/post-row/row.server.ts',
    'search/posts.server.ts',
  ],
  'what one change affects': [
    'effects/events.ts',
    'publishing/change/public-effects.server.ts',
    'publishing/post-row/tags-and-authors.server.ts',
    'publishing/change/public-change.server.ts',
    'search/outbox.server.ts',
  ],
  'the posts of a release, of which there is a limit': [
    'admin/releases/describe.server.ts',
    'publishing/releases/apply-posts.server.ts',
    'releases/check-release.server.ts',
  ],
  'the history of one thing, in the copy of a site': [
    'time-travel/rewind/post-history.server.ts',
    'time-travel/rewind/texts.server.ts',
  ],
  'matches of a search, counted or ranked up to a limit': [
    'search/embedded/matches.server.ts',
    'search/embedded/query.ts',
    'search/typesense/schema.ts',
    'search/typesense/query.ts',
  ],
  'links of a text, in a worker': ['posts/markdown/gfm.ts'],
  'parts of a text, in an import or an export': ['posts/markdown/addresses.ts'],
  'files of a folder that a command reads': ['newsletter/bounces/mailbox.server.ts'],
  'in the browser': [
    'admin/editor/live/fit-marks.ts',
    'admin/editor/live/marks.ts',
    'admin/editor/live/menus.ts',
    'admin/times/local.ts',
    'admin/editor/saving/local-copy.ts',
  ],
  'a few values, known to the code or the operator': [
    'admin/appearance/appearance.server.ts',
    'platform/clock.ts',
    'platform/database/migrations.server.ts',
    'platform/database/postgres.server.ts',
    'platform/time/earliest.ts',
    'settings/appearance/palettes.ts',
  ],
};

interface Found {
  diffs: Set<string>;
  expressions: Set<string>;
  sorts: Set<string>;
}

function findIn(text: string, file: string): Found {
  const found: Found = { diffs: new Set(), expressions: new Set(), sorts: new Set() };
  const look = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && node.moduleSpecifier.getText().slice(1, -1) === 'diff')
      node.importClause?.namedBindings?.forEachChild(
        (name) => void found.diffs.add(`${file} ${name.getText()}`),
      );
    const source = expressionOf(node);
    if (source !== null && hasNestedRepetition(source)) found.expressions.add(file);
    if (ts.isCallExpression(node) && /\.(?:sort|toSorted)$/.test(node.expression.getText()))
      found.sorts.add(file);
    ts.forEachChild(node, look);
  };
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  look(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind));
  return found;
}

/** The source of a regular expression; null for any other node. */
function expressionOf(node: ts.Node): string | null {
  if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf('/'));
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
  return isCall && node.expression.getText() === 'RegExp' ? (node.arguments?.[0]?.getText() ?? null) : null;
}

/** True for a repeated group that contains a repetition without an end. */
function hasNestedRepetition(source: string): boolean {
  const bare = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
  const repetition = /^(?:[*+]|\{\d+,\})/;
  const open: boolean[] = [false];
  for (let at = 0; at < bare.length; at += 1) {
    if (bare[at] === '(') open.push(false);
    else if (bare[at] === ')') {
      const isInner = open.pop() ?? false;
      const isRepeated = repetition.test(bare.slice(at + 1)) || /^\{\d+,\d+\}/.test(bare.slice(at + 1));
      if (isInner && isRepeated) return true;
      if (isInner) open[open.length - 1] = true;
    } else if (repetition.test(bare.slice(at))) open[open.length - 1] = true;
  }
  return false;
}

const found = readdirSync(path.join(projectRoot, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => findIn(readFileSync(path.join(projectRoot, 'app', file), 'utf8'), `app/${file}`));
const inOrder = (names: Iterable<string>) => [...names].toSorted();

it('every call of a diff is known', () => {
  expect(inOrder(found.flatMap((each) => [...each.diffs]))).toEqual(inOrder(Object.keys(diffs)));
});

it('only the tasks of workers call what compares texts', () => {
  const compares =
    /\b(?:compareTexts|comparePassages|mergeTexts)\b[^;]*from '#app\/|import\('#app\/posts\/history\/compare-/;
  const callers = readdirSync(path.join(projectRoot, 'app'), { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.tsx?$/.test(file) && compares.test(readFileSync(path.join(projectRoot, 'app', file), 'utf8')),
  );
  expect(callers).toEqual(['workers/tasks.server.ts']);
});

it('every regular expression with nested repetition is known', () => {
  const files = found.flatMap((each) => [...each.expressions]).filter(isOnEventLoop);
  expect(inOrder(files)).toEqual(inOrder(Object.keys(expressions)));
});

it('every sort is known', () => {
  const files = found.flatMap((each) => [...each.sorts]).filter(isOnEventLoop);
  const known = Object.values(sorts).flatMap((names) => names.map((file) => `app/${file}`));
  expect(inOrder(files)).toEqual(inOrder(known));
});

it.each([
  ['(a+)+', true],
  ['(?:[ \\t]*\\n){2,}', true],
  ['((a*)b){1,3}', true],
  ['(?:a+)?', false],
  ['(?:ab){2}(c+)', false],
  ['[(+]+(a\\+)+', false],
])('nested repetition in %j: %s', (source, expected) => {
  expect(hasNestedRepetition(source)).toBe(expected);
});

it('finds an import of a diff, and a sort', () => {
  const text = "import { diffWords } from 'diff';\nrows.sort();";
  expect(findIn(text, 'app/x.ts')).toMatchObject({
    diffs: new Set(['app/x.ts diffWords']),
    sorts: new Set(['app/x.ts']),
  });
});
