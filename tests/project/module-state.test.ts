// The state of a running process is in the objects that `compose.server.ts` builds, not in variables of modules: those
// are shared by all apps of a process, as tests and the copies of a site make them, and nobody closes them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';

/** What modules may keep: a value that follows from its key alone, or that only the browser has. */
const allowed: Record<string, string> = {
  'app/compose.server.ts composed': 'the app under remix-serve, which builds none',
  'app/platform/jobs/event-loop.server.ts waiting': 'a process has one event loop',
  'app/platform/jobs/event-loop.server.ts turnBegan': 'the same',
  'app/platform/database/postgres.server.ts searches':
    'connections of one moment share a search for the writer',
  'app/platform/database/postgres.server.ts writers': 'the same, for a second',
  // Follows from the key or from the code alone.
  'app/web/cache/cached-page.ts acceptedByHeader': 'by header',
  'app/backup/format/rows.ts schemas': 'by table',
  'app/posts/markdown/addresses.ts last': 'of the last text',
  'app/platform/database/copy.server.ts schema': 'the tables of this version',
  'app/platform/http/public-addresses.ts matchersByFirst': 'filled where it is declared',
  'app/posts/markdown/render.server.ts highlighter': 'loaded when code is first highlighted',
  'app/posts/markdown/render.server.ts loadedLanguages': 'by language',
  'app/posts/markdown/parser.ts typographicParsers': 'by language',
  'app/settings/queries.server.ts lastParsed': 'by stored text',
  'app/platform/time/format.ts formats': 'by language and zone',
  'app/platform/text/languages.ts directions': 'by language',
  'app/site/shell/head.ts openGraphLocales': 'by language',
  'app/site/shell/messages.ts made': 'by language',
  'app/ui/words.ts catalogues': 'by language',
  'app/ui/words.ts wordsByLanguage': 'by language',
  // Of one page in a browser, or of one request.
  'app/admin/editor/live/media/gallery.ts shownIn': 'by element',
  'app/admin/editor/live/media/widget.ts shownIn': 'by element',
  'app/admin/editor/live/blocks/inline-parts.ts known': 'by a block of the syntax tree',
  'app/admin/editor/live/tables/grid.ts grids': 'by element',
  'app/admin/media/upload.ts running': 'of the page',
  'app/admin/editor/saving/local-copy.ts isLoggedOut': 'of the page',
  'app/admin/editor/saving/local-copy.ts tab': 'of the page',
  'app/admin/editor/model/text-source.ts sources': 'by element',
  'app/site/shell/use-site.ts shown': 'by the frame of a request',
  'app/ui/early-input.ts early': 'of the page',
  'app/ui/early-input.ts hydrated': 'by element',
};

const filesOf = (folder: string) =>
  readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`);

/** Variables of a module, and its constant collections that something is added to or taken from. */
function stateIn(text: string): string[] {
  const variables = [...text.matchAll(/^(?:export )?let (\w+)/gm)].map(([, name]) => name!);
  const collections = [
    ...text.matchAll(
      /^(?:export )?const (\w+)(?!: Readonly)[^\n=]*=\s*(?:new (?:Weak)?(?:Map|Set)\b|new LRUCache|\[|\{)/gm,
    ),
  ].map(([, name]) => name!);
  const isChanged = (name: string) =>
    new RegExp(
      String.raw`\b${name}(?:\.(?:add|set|delete|clear|push|pop|shift|unshift|splice)\(|\[[^\]]+\] (?:\?\?)?= )`,
    ).test(text);
  return [...variables, ...collections.filter(isChanged)];
}

it('modules keep no state of a running process', () => {
  const found = [...filesOf('app'), ...filesOf('bin')].flatMap((file) =>
    stateIn(readFileSync(path.join(projectRoot, file), 'utf8')).map((name) => `${file} ${name}`),
  );
  expect(found.filter((each) => !(each in allowed))).toEqual([]);
  expect(Object.keys(allowed).filter((each) => !found.includes(each))).toEqual([]);
});

it.each([
  ['let hits = 0;', ['hits']],
  ['const seen = new Set<string>();\nseen.add(a);', ['seen']],
  ['export const cache: Map<string, number> = new Map();\ncache.set(a, 1);', ['cache']],
  ['const idle: Client[] = [];\nidle.push(client);', ['idle']],
  [
    "const names: ReadonlySet<string> = new Set(['a']);\nfunction of(names: Set<string>) {\n  names.add('b');\n}",
    [],
  ],
  ["const names = new Set(['a']);\nnames.has(a);", []],
  ['function count() {\n  let hits = 0;\n}', []],
])('in %j these are state: %j', (text, names) => {
  expect(stateIn(text)).toEqual(names);
});
