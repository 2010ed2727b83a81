import { expect, test } from 'vitest';
import { importedFolder } from '#tests/support/imported-folder.ts';

const film = '<https://www.youtube.com/watch?v=dQw4w9WgXcQ>';
const components: [component: string, markdown: string][] = [
  ['<YouTubeEmbed id="dQw4w9WgXcQ" title="T" />', film],
  ['<YouTubeEmbed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ" />', film],
  ['<LiteYouTube videoid="dQw4w9WgXcQ" />', film],
  ['<LiteYouTubeEmbed id="dQw4w9WgXcQ" title="x"></LiteYouTubeEmbed>', film],
  ['<YouTube id="dQw4w9WgXcQ" />', film],
  ['<YouTube id={"dQw4w9WgXcQ"} client:load />', film],
  ['<YouTube id={`dQw4w9WgXcQ`} />', film],
  ['<Youtube videoId="dQw4w9WgXcQ" />', film],
  ['<YouTubePlayer youTubeId="dQw4w9WgXcQ" />', film],
  ['<YouTube id="https://www.youtube.com/embed/dQw4w9WgXcQ" />', film],
  ['<YouTube id="dQw4w9WgXcQ" params="start=90" />', `${film.slice(0, -1)}&t=90s>`],
  ['<ReactPlayer url="https://youtu.be/dQw4w9WgXcQ" controls />', '<https://youtu.be/dQw4w9WgXcQ>'],
  ['<Whatever link="https://vimeo.com/76979871" />', '<https://vimeo.com/76979871>'],
  ['<lite-youtube videoid="dQw4w9WgXcQ" playlabel="x"></lite-youtube>', film],
  ['<Vimeo id="76979871" />', '<https://vimeo.com/76979871>'],
  ['<VimeoEmbed id={76979871} />', '<https://vimeo.com/76979871>'],
  ['<LiteVimeo videoid="76979871" />', '<https://vimeo.com/76979871>'],
  ['<Tweet id="123456" />', '<https://x.com/i/status/123456>'],
  ['<TwitterTweetEmbed tweetId="123456" />', '<https://x.com/i/status/123456>'],
  ['<Tweet id="https://twitter.com/a/status/1" />', '<https://twitter.com/a/status/1>'],
  ['<XPost url="https://x.com/a/status/1" />', '<https://x.com/a/status/1>'],
  ['<Gist id="ada/0123abc" />', '<https://gist.github.com/ada/0123abc>'],
  ['<GitHubGist url="https://gist.github.com/ada/0123abc" />', '<https://gist.github.com/ada/0123abc>'],
  ['<InstagramEmbed url="https://www.instagram.com/p/abc/" />', '<https://www.instagram.com/p/abc/>'],
  ['<LinkPreview id="https://old.example/a" />', '<https://old.example/a>'],
  ['<LinkCard title="Read [me]" href="/guide/" />', '[Read \\[me\\]](/guide/)'],
  ['<Code code={`const a = 1;`} lang="js" />', '```js\nconst a = 1;\n```'],
  [
    '<Code code={`if (a) {\n  b(`\\${c}`);\n\n}`} lang="ts" title="x.ts" />'.replace(
      '`\\${c}`',
      '\\`\\${c}\\`',
    ),
    '```ts title="x.ts"\nif (a) {\n  b(`${c}`);\n\n}\n```',
  ],
  ['<Code code="npm i" lang="sh" />', '```sh\nnpm i\n```'],
  ['<CodeBlock language="jsx">{`<b>x</b>`}</CodeBlock>', '```jsx\n<b>x</b>\n```'],
  [
    '<Prism lang="js" code={`import a from "b";\nexport default a;`} />',
    '```js\nimport a from "b";\nexport default a;\n```',
  ],
  [
    '```astro\n<Code code={`x`} />\n<YouTube id="a" />\n```',
    '```astro\n<Code code={`x`} />\n<YouTube id="a" />\n```',
  ],
];

test('components of MDX for films, posts and code', async () => {
  const { result, posts } = await importedFolder({
    'astro.config.mjs': 'export default {site:"https://old.example"}',
    ...Object.fromEntries(
      components.map(([component], index) => [
        `src/content/blog/n${index}.mdx`,
        `---\ntitle: T\npubDate: 2021-01-02\n---\nimport X from '../x.astro'\n\nBefore\n\n${component}\n\nAfter\n`,
      ]),
    ),
    'src/content/blog/plain.mdx':
      '---\ntitle: T\npubDate: 2021-01-02\n---\n<p>{`plain template`}</p>\n\n<Counter start="https://x.example/a" />\n',
  });
  expect(result.skipped).toEqual([]);
  const bodies = components.map(([component], index) => [component, posts[`n${index}`]!.body]);
  expect(bodies).toEqual(
    components.map(([component, markdown]) => [component, `Before\n\n${markdown}\n\nAfter`]),
  );
  expect(result.warnings).toEqual([
    'src/content/blog/plain.mdx: <Counter> was left out: components do not run here.',
  ]);
  expect(posts.plain!.body).toBe('<p>plain template</p>');
});
