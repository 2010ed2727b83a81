// `npm run bench -- relevance --posts <folder>`: what readers of the Rust project's blog (the folder holds its posts
// as Markdown) would type, and where the post stands that they mean. To hold: 27 of 30 first, 30 in the top three.
// The Typesense here is the test suite's stand-in: it follows the recorded rules of a real one (words, prefixes,
// typos, weights, dates), so its column tells of the query that Dateline sends and not of Typesense's own fine rank.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { App } from '#app/app.ts';
import { closeApp, createApp } from '#app/compose.server.ts';
import { importFrom } from '#app/import/run/import.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { searchPosts } from '#app/search/posts.server.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { startTypesenseStandIn } from '#tests/support/typesense-stand-in.ts';
import { report } from './report.ts';

/** Query and the title that should come first; `typo` where a reader slipped. */
const wanted: [query: string, title: string][] = [
  ['fearless concurrency firefox', 'Fearless Concurrency in Firefox Quantum'],
  ['async await stable', 'Async-await on stable Rust!'],
  ['asnyc await beta', 'Async-await hits beta!'],
  ['1.31', 'Announcing Rust 1.31 and Rust 2018'],
  ['rust 1.0', 'Announcing Rust 1.0'],
  ['what is rust 2018', 'What is Rust 2018?'],
  ['new borrow checker', 'Completing the transition to the new borrow checker'],
  ['traits abstraction', 'Abstraction without overhead: traits in Rust'],
  ['stability', 'Stability as a Deliverable'],
  ['incremantal compilation', 'Incremental Compilation'],
  ['MIR', 'Introducing MIR'],
  ['mozilla irc', 'Mozilla IRC Sunset and the Rust Channel'],
  ['underhanded', 'Announcing the First Underhanded Rust Contest'],
  ['security advisory rustdoc', 'Security Advisory for rustdoc'],
  ['cargo security advisroy', 'Security advisory for Cargo'],
  ['shape of errors', 'Shape of errors to come'],
  ['goverance working group', 'The Governance WG is going public'],
  ['2019 roadmap', "Rust's 2019 roadmap"],
  ['survey 2018 results', 'Rust Survey 2018 Results'],
  ['procedural macros', 'Procedural Macros in Rust 2018'],
  ['docs.rs', 'Upcoming docs.rs changes'],
  ['libz blitz', 'The Rust Libz Blitz'],
  ['rustup', 'Announcing Rustup 1.20.0'],
  ['language ergonomics', "Rust's language ergonomics initiative"],
  ['all hands berlin', 'The Rust Team All Hands in Berlin: a Recap'],
  ['crates.io incident', 'Update on the October 15, 2018 incident on crates.io'],
  ['MaybeUninit', 'Announcing Rust 1.36.0'],
  ['raw identifiers', 'Announcing Rust 1.30'],
  ['global allocators', 'Announcing Rust 1.28'],
  ['dbg macro', 'Announcing Rust 1.32.0'],
];

const { values } = parseArgs({ options: { posts: { type: 'string' } } });
if (!values.posts) {
  process.stderr.write('Usage: npm run bench -- relevance --posts <folder of Markdown posts>\n');
  process.exit(2);
}
const folder = await mkdtemp(path.join(tmpdir(), 'dateline-bench-'));
const standIn = await startTypesenseStandIn();
try {
  const embedded = await fill({ SEARCH_HOST: `file:${path.join(folder, 'search.db')}` }, values.posts);
  const typesense = await open({ SEARCH_HOST: standIn.url, SEARCH_API_KEY: standIn.apiKey });
  await reindexPosts(typesense, { batchSize: 200 });
  const places = { embedded: [] as number[], typesense: [] as number[] };
  print('query', 'wanted first', 'embedded', 'stand-in');
  for (const [query, title] of wanted) {
    const [a, b] = [await placeOf(embedded, query, title), await placeOf(typesense, query, title)];
    places.embedded.push(a.place);
    places.typesense.push(b.place);
    print(query, title, a.shown, b.shown);
  }
  for (const [engine, found] of Object.entries(places)) {
    const within = (place: number) => found.filter((each) => each <= place).length;
    report(`${engine}: first of ${wanted.length}`, within(1), { atLeast: 27 });
    report(`${engine}: in the top three of ${wanted.length}`, within(3), { atLeast: 30 });
  }
  await closeApp(embedded);
  await closeApp(typesense);
} finally {
  await standIn.stop();
  await rm(folder, { recursive: true, force: true });
}

async function fill(search: Record<string, string>, posts: string): Promise<App> {
  await prepareTemplate(`file:${path.join(folder, 'blog.db')}`);
  const app = await open(search);
  await importFrom(app, { from: 'markdown', input: path.resolve(posts), dryRun: false });
  await reindexPosts(app, { batchSize: 200 });
  return app;
}

function open(search: Record<string, string>): Promise<App> {
  const variables = {
    DATABASE_URL: `file:${path.join(folder, 'blog.db')}`,
    UPLOADS_DIR: path.join(folder, 'uploads'),
    AUTH_SECRET: 'x'.repeat(32),
    LOG_LEVEL: 'silent',
  };
  return createApp(parseEnv({ ...variables, ...search }, 'server'), { logTo: 'stderr', workers: 'patient' });
}

async function placeOf(app: App, query: string, title: string): Promise<{ place: number; shown: string }> {
  const { hits } = await searchPosts(app, { query, category: null, tag: null, page: 1, perPage: 20 });
  const place = hits.findIndex(({ post }) => post.title === title) + 1 || Infinity;
  const first = hits[0]?.post.title ?? 'nothing';
  return { place, shown: place === 1 ? '1' : `${place === Infinity ? '-' : place} (${first.slice(0, 22)})` };
}

function print(query: string, title: string, embedded: string, typesense: string): void {
  const cells = [query.padEnd(30), title.slice(0, 52).padEnd(54), embedded.padEnd(28), typesense];
  process.stdout.write(`${cells.join('').trimEnd()}\n`);
}
