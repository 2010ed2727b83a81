// `npm run bench:seed -- --posts N`: adds N published posts of ten years to the instance that the environment names, for
// measuring on a real one, and posts in the other states, pictures, old addresses and releases. Each run brings its own
// author, categories and tags beside what is there.
import { config } from 'dotenv';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { closeApp, openApp } from '#app/compose.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { insertPublishedBlog } from '#tests/support/published-blog.ts';
import { addVariety } from './varied-posts.ts';

const MOST_POSTS = 1_000_000;
const TEN_YEARS_MS = 3_650 * DAY_MS;

config({ path: '.env.local', quiet: true });
const { posts } = await yargs(hideBin(process.argv))
  .scriptName('npm run bench:seed --')
  .option('posts', {
    type: 'number',
    demandOption: true,
    requiresArg: true,
    describe: 'How many posts to add',
  })
  .check(({ posts }) => {
    if (!Number.isInteger(posts) || posts < 1 || posts > MOST_POSTS)
      throw new Error(`--posts must be a whole number from 1 to ${MOST_POSTS}.`);
    return true;
  })
  .strict()
  .version(false)
  .parseAsync();

const started = performance.now();
try {
  const app = await openApp();
  try {
    const prefix = `bench-${Math.floor(app.clock.now().getTime() / 1000).toString(36)}-`;
    const everyMs = Math.floor(TEN_YEARS_MS / posts);
    const slugs = await insertPublishedBlog(app, posts, { prefix, everyMs });
    const variety = await addVariety(app, slugs, prefix);
    const { indexedCount } = await reindexPosts(app, { batchSize: 200 });
    const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
    process.stdout.write(
      `${JSON.stringify({ insertedCount: slugs.length, ...variety, indexedCount, seconds })}\n`,
    );
  } finally {
    await closeApp(app);
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
