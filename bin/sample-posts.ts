/** Sample posts of a new site. `hoursAgo: null`: scheduled, due in two minutes. */
export const samplePosts: {
  title: string;
  excerpt: string;
  tags: string[];
  hoursAgo: number | null;
  body: string;
}[] = [
  {
    title: 'Welcome to Dateline',
    excerpt: 'A short tour of what has just been set up, and what to do next.',
    tags: ['Guide'],
    hoursAgo: 30,
    body: `This site runs on one process and one database file. Nothing else is needed to begin.

## What you can do now

- Log in to the backend with the address and password that the terminal showed.
- Write a post in Markdown, choose a time, press **Schedule**.
- Run the trigger, or let cron run it. The post is published *once*, however many triggers run.

## What keeps it safe

Everything that matters lies in the database. The search index, the sitemap and the feeds can be rebuilt from it
at any time, and a backup is one command:

\`\`\`sh
npm run backup:export -- --output ../dateline-backup
npm run backup:verify -- --input ../dateline-backup
\`\`\`

Delete these sample posts when you no longer need them.
`,
  },
  {
    title: 'Writing in Markdown',
    excerpt: 'Headings, tables, code, footnotes: a sampler of what a post can hold.',
    tags: ['Guide', 'Markdown'],
    hoursAgo: 8,
    body: `Your text stays exactly as you typed it. It is rendered once, when you save, and readers get plain HTML.

## Text

Some *emphasis*, some **strength**, a [link](https://commonmark.org), \`inline code\`, and a footnote.[^1]

> Omit needless words.

## A table

| Trigger | When | What it needs |
|---|---|---|
| cron | every 5 minutes | the command |
| external scheduler | whenever it likes | the internal route and its secret |

## Code

\`\`\`ts
export function isDue(post: { publishedAt: Date }, now: Date): boolean {
  return post.publishedAt <= now;
}
\`\`\`

[^1]: Footnotes are at the end of the post, with a link back.
`,
  },
  {
    title: 'This post was scheduled',
    excerpt: 'It was invisible until its time had come and a trigger published it.',
    tags: ['Publishing'],
    hoursAgo: null,
    body: `Until a moment ago nobody could read this: not on the home page, not in the feed, not in the sitemap, not in search.

Then its time came, a trigger ran, and it appeared everywhere at once.

\`\`\`sh
npm run posts:publish-scheduled
\`\`\`
`,
  },
];
