import type { App } from '#app/app.ts';
import { embedCandidates } from '#app/posts/markdown/embed-candidates.ts';
import { renderBody } from '#app/publishing/post-row/body.server.ts';
import { decodeEntities } from './markup-texts.ts';
import type { ProblemList } from './problem-list.ts';

/**
 * The smallest share of common words. Older versions rendered a little differently, so small differences do not count.
 */
const LEAST_SHARED = 0.5;

interface PostText {
  slug: string;
  language: string;
  body: string;
  bodyHtml: string;
}

/** Finds a post whose HTML for readers differs from the text in the editor. */
export async function checkPostText(app: App, post: PostText, problems: ProblemList): Promise<void> {
  const name = `The post ${post.slug}`;
  if (post.bodyHtml === '') {
    if (post.body.trim() !== '') problems.add(`${name} has a text but shows nothing.`);
    return;
  }
  const shown = wordsShown(post.bodyHtml);
  const written = wordsOf(post.body);
  // Enough for nearly every post. Rendering takes a hundred times as long.
  if (share(shown, written) >= LEAST_SHARED && share(written, shown) >= LEAST_SHARED) return;
  const rendered = wordsShown((await renderBody(app, post.body, post.language)).html);
  const knownWords = new Set([...written, ...rendered, ...(await wordsOfEmbeds(app, post.body))]);
  // Without the words that a rendering adds, such as the title of a film: they may be newer than the page.
  const expected = new Set([...rendered].filter((each) => written.has(each)));
  if (share(shown, knownWords) < LEAST_SHARED || share(expected, shown) < LEAST_SHARED)
    problems.add(`${name} shows another text than the one in the editor.`);
}

// The site may not embed all of these hosts any more. Saved posts still show their embeds.
async function wordsOfEmbeds(app: App, body: string): Promise<Set<string>> {
  const embeds = await app.db.embed.findMany({ where: { url: { in: embedCandidates(body) } } });
  return wordsOf(embeds.map(({ details }) => details).join(' '));
}

function wordsShown(html: string): Set<string> {
  return wordsOf(decodeEntities(html.replace(/<[^>]*>/g, ' ')));
}

const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(word));
}

/** How many of the words are among the others, from 0 to 1. */
function share(words: Set<string>, others: Set<string>): number {
  if (words.size === 0) return 1;
  let commonWords = 0;
  for (const each of words) if (others.has(each)) commonWords += 1;
  return commonWords / words.size;
}
