import { shorten } from '#app/export/excerpt-of.ts';
import { LinksBetweenPosts } from '#app/import/addresses/links-between-posts.ts';
import { oldAddress } from '#app/import/addresses/old-address.ts';
import type { AddressPlanner } from '#app/import/addresses/plan.server.ts';
import { htmlToMarkdown, textOfHtml } from '#app/import/html/to-markdown.ts';
import type { MediaFolder } from '#app/import/media/folder.server.ts';
import { readSourceDate } from '#app/import/model/date.ts';
import type { ContentSource, SourcePost } from '#app/import/model/post.ts';
import { itemOfPost, type ReadPost } from '#app/import/source/item.server.ts';
import { readXmlFile } from '#app/import/source/read-text.server.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { TAGS_MAX } from '#app/posts/fields/schemas.ts';
import { contentOf, isUnknownType, readTumblrPosts, typeOf, type TumblrElement } from './tumblr-posts.ts';

/**
 * An export of Tumblr: the file `posts.xml` of its ZIP file.
 * @throws AppError `invalid_input` when it is something else.
 */
export async function openTumblrExport(
  file: string,
  { now, media, addresses }: { now: Date; media: MediaFolder; addresses: AddressPlanner },
): Promise<ContentSource> {
  const posts = readTumblrPosts(await readXmlFile(file));
  const links = await LinksBetweenPosts.plan(
    posts
      .filter(isPublic)
      .map((post) => ({ key: keyOf(post), slug: slugOf(post), oldAddresses: oldAddressesOf(post) })),
    addresses,
    [...new Set(posts.flatMap(({ attributes: { url = '' } }) => (URL.canParse(url) ? [url] : [])))],
  );
  let done = 0;
  return {
    progress: () => ({ done, total: posts.length }),
    async *items() {
      for (const post of posts) {
        yield isUnknownType(post)
          ? { key: keyOf(post), reason: `Posts of the type “${typeOf(post)}” cannot be read.` }
          : await itemOfPost(keyOf(post), readPost(post, now, links), media);
        done += 1;
      }
    },
  };
}

function readPost(element: TumblrElement, now: Date, links: LinksBetweenPosts): ReadPost {
  const { attributes, children } = element;
  const { title, html } = contentOf(element);
  const { markdown, warnings } = htmlToMarkdown(html);
  const written = dateOf(element);
  const publishedAt = isPublic(element) ? written : null;
  if (!isPublic(element)) warnings.unshift('It was not public: the post becomes a draft.');
  else if (written === null) warnings.unshift('No date: the post becomes a draft.');
  const reblogged = attributes['reblogged-from-name'] ?? '';
  if (reblogged !== '') warnings.push(`It is a reblog of a post of ${shorten(reblogged, 100)}.`);
  const names = children.filter(({ name }) => name === 'tag').map(({ text }) => text.trim());
  const tags = [...new Set(names)].filter((name) => toSlug(name) !== '');
  if (tags.length > TAGS_MAX)
    warnings.push(`It has ${tags.length} tags: those after the first ${TAGS_MAX} were left out.`);
  const post: SourcePost = {
    title:
      shorten(textOfHtml(title), 300) ||
      // Keeps the words of adjacent blocks apart.
      shorten(textOfHtml(html.replaceAll('<', ' <')), 60) ||
      `A ${typeOf(element) || 'post'}`,
    slug: slugOf(element),
    body: links.replaceIn(markdown),
    excerpt: '',
    status: publishedAt === null ? 'draft' : publishedAt > now ? 'scheduled' : 'published',
    publishedAt,
    archiveAt: null,
    updatedAt: null,
    category: null,
    tags: tags.slice(0, TAGS_MAX).map((name) => ({ name: shorten(name, 100) })),
    author: null,
    cover: null,
    aliases: publishedAt === null ? [] : oldAddressesOf(element),
    guid: publishedAt === null ? '' : (attributes.url ?? ''),
  };
  return { post, warnings, written: markdown };
}

/** Whether a post is public. Drafts, queued and private posts have a state; most posts have none. */
function isPublic({ attributes: { state = 'published', private: hidden } }: TumblrElement): boolean {
  return state === 'published' && hidden !== 'true';
}

function dateOf({ attributes }: TumblrElement): Date | null {
  const seconds = Number(attributes['unix-timestamp'] || Number.NaN);
  if (Number.isFinite(seconds)) return new Date(seconds * 1_000);
  return readSourceDate((attributes['date-gmt'] ?? '').replace(/ GMT$/, 'Z'), 'UTC');
}

function keyOf({ attributes: { id = '' } }: TumblrElement): string {
  return id;
}

function slugOf(post: TumblrElement): string {
  const { slug = '', id = '' } = post.attributes;
  const { title } = contentOf(post);
  return [slug, textOfHtml(title)].find((text) => toSlug(text) !== '') ?? `post-${id}`;
}

/** `/post/123/a-post` and `/post/123`. */
function oldAddressesOf({ attributes }: TumblrElement): string[] {
  const addresses = [attributes['url-with-slug'], attributes.url].flatMap(
    (url) => oldAddress(url ?? '') ?? [],
  );
  return [...new Set(addresses)];
}
