import type { App } from '#app/app.ts';
import { loneAddresses } from '#app/posts/lone-addresses.ts';
import { renderBody } from '#app/publishing/render-body.server.ts';
import { decodeEntities } from './markup-texts.ts';
import type { ProblemList } from './problem-list.ts';

/** Texts of older versions may be rendered a little differently, so only a page that is mostly another text counts. */
const LEAST_SHARED = 0.5;

interface PostText {
  slug: string;
  language: string;
  body: string;
  bodyHtml: string;
}

/** Finds a post whose HTML, which readers get, is not its text, which the editor shows. */
export async function checkPostText(app: App, post: PostText, problems: ProblemList): Promise<void> {
  const name = `The post ${post.slug}`;
  if (post.bodyHtml === '') {
    if (post.body.trim() !== '') problems.add(`${name} has a text but shows nothing.`);
    return;
  }
  const shown = wordsShown(post.bodyHtml);
  const written = wordsOf(post.body);
  // Nearly every post ends here: rendering takes a hundred times as long.
  if (share(shown, written) >= LEAST_SHARED && share(written, shown) >= LEAST_SHARED) return;
  const rendered = wordsShown((await renderBody(app, post.body, post.language)).html);
  const known = new Set([...written, ...rendered, ...(await wordsOfEmbeds(app, post.body))]);
  // What a rendering adds today, such as the title of a film, may be younger than the page.
  const expected = new Set([...rendered].filter((each) => written.has(each)));
  if (share(shown, known) < LEAST_SHARED || share(expected, shown) < LEAST_SHARED)
    problems.add(`${name} shows another text than the one in the editor.`);
}

// Also of hosts that the site does not embed any more: their posts stay as they were saved.
async function wordsOfEmbeds(app: App, body: string): Promise<Set<string>> {
  const embeds = await app.db.embed.findMany({ where: { url: { in: loneAddresses(body) } } });
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
  let found = 0;
  for (const each of words) if (others.has(each)) found += 1;
  return found / words.size;
}
