import type { Argv, CommandModule } from 'yargs';
import type { App } from '#app/app.ts';
import { postStatuses, type PostStatus } from '#app/posts/fields/states.ts';
import { countOption, optionalPathOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Named {
  post: string;
}

interface Wanted {
  status?: PostStatus;
  limit?: number;
}

interface NewPost {
  title: string;
  slug?: string;
  input?: string;
}

const LIST_LIMIT = 50;
const LIST_MAX = 1_000;

export const postsList: CommandModule<object, Wanted> = {
  command: 'posts:list',
  describe: 'List posts, the last changed one first',
  builder: (yargs) =>
    yargs
      .option('status', { choices: postStatuses, requiresArg: true, describe: 'Only posts in this state' })
      .options(countOption('limit', `How many; default ${LIST_LIMIT}`, { from: 1, to: LIST_MAX })),
  handler: async ({ status, limit = LIST_LIMIT }) => {
    const { listPosts } = await import('../posts.ts');
    printResult(await withApp((app) => listPosts(app, { status, limit })));
  },
};

export const postsShow: CommandModule<object, Named> = {
  command: 'posts:show <post>',
  describe: 'Show the state of a post',
  builder: withPost,
  handler: (options) =>
    printPost(options, async (app, post) => (await import('../posts.ts')).showPost(app, post)),
};

export const postsPublish: CommandModule<object, Named> = {
  command: 'posts:publish <post>',
  describe: 'Publish a post now, whatever its state',
  builder: withPost,
  handler: (options) =>
    printPost(options, async (app, post) => (await import('../posts.ts')).bringTo(app, post, 'published')),
};

export const postsArchive: CommandModule<object, Named> = {
  command: 'posts:archive <post>',
  describe: 'Archive a post now: readers no longer see it',
  builder: withPost,
  handler: (options) =>
    printPost(options, async (app, post) => (await import('../posts.ts')).bringTo(app, post, 'archived')),
};

export const contentNew: CommandModule<object, NewPost> = {
  command: 'content:new <title>',
  describe: 'Create a draft',
  builder: (yargs) =>
    yargs
      .positional('title', { type: 'string', demandOption: true, describe: 'Title' })
      .option('slug', { type: 'string', requiresArg: true, describe: 'Slug; default: made from the title' })
      .options(optionalPathOption('input', 'file', 'Markdown file with the text')),
  handler: async ({ title, slug = '', input }) => {
    const { createDraft } = await import('../posts.ts');
    const { readText } = await import('#app/import/source/read-text.server.ts');
    const body = input === undefined ? '' : await readText(input);
    printResult(await withApp((app) => createDraft(app, { title, slug, body })));
  },
};

function withPost(yargs: Argv): Argv<Named> {
  return yargs.positional('post', { type: 'string', demandOption: true, describe: 'Slug or id of the post' });
}

async function printPost({ post }: Named, work: (app: App, post: string) => Promise<object>): Promise<void> {
  printResult(await withApp((app) => work(app, post)));
}
