import path from 'node:path';
import { shorten } from '#app/export/excerpt-of.ts';
import { LinksBetweenPosts } from '#app/import/addresses/links-between-posts.ts';
import { oldAddress } from '#app/import/addresses/old-address.ts';
import type { AddressPlanner } from '#app/import/addresses/plan.server.ts';
import { htmlToMarkdown, textOfHtml } from '#app/import/html/to-markdown.ts';
import type { MediaFolder } from '#app/import/media/folder.server.ts';
import {
  orderComments,
  type ContentSource,
  type SourceComment,
  type SourcePost,
} from '#app/import/model/post.ts';
import { readSourceDate, datedState, type PostState } from '#app/import/model/date.ts';
import { itemOfPost, type ReadPost } from '#app/import/source/item.server.ts';
import { readXmlFile } from '#app/import/source/read-text.server.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { readBloggerEntries, type BloggerEntry } from './blogger-entries.ts';

interface Context {
  now: Date;
  links: LinksBetweenPosts;
  comments: Map<string, BloggerEntry[]>;
}

/**
 * An export of Blogger: the XML file of its settings ("Back up content"), or `feed.atom` of Google Takeout.
 * @throws AppError `invalid_input` when it is something else.
 */
export async function openBloggerExport(
  file: string,
  { now, media, addresses }: { now: Date; media: MediaFolder; addresses: AddressPlanner },
): Promise<ContentSource> {
  const entries = readBloggerEntries(await readXmlFile(file));
  const posts = entries.filter(({ kind }) => kind === 'post' || kind === 'page');
  const published = posts.filter(({ isPublic }) => isPublic);
  const links = await LinksBetweenPosts.plan(
    published.map((entry) => ({
      key: entry.id,
      slug: slugOf(entry),
      ...(entry.kind === 'page' && { above: '/' }),
      oldAddresses: [entry.address],
    })),
    addresses,
    sitesOf(posts),
  );
  const context = { now, links, comments: commentsByPost(entries) };
  let done = 0;
  return {
    progress: () => ({ done, total: posts.length }),
    async *items() {
      for (const entry of posts) {
        yield await itemOfPost(entry.id, readPost(entry, context), media);
        done += 1;
      }
      const others = entries.filter(({ kind }) => !['post', 'page', 'comment'].includes(kind));
      for (const { id, kind } of others)
        yield {
          key: id,
          ignored: { kind: kind || 'entry', reason: 'It is neither a post, a page nor a comment.' },
        };
    },
  };
}

function readPost(entry: BloggerEntry, { now, links, comments }: Context): ReadPost {
  const warnings: string[] = [];
  const { markdown, warnings: lost } = htmlToMarkdown(entry.content);
  const { status, publishedAt } = stateOf(entry, now, warnings);
  const isPublished = status === 'published';
  const old = oldAddress(entry.address);
  const post: SourcePost = {
    type: entry.kind === 'page' ? 'page' : 'post',
    title: shorten(textOfHtml(entry.title), 300) || 'Untitled',
    slug: slugOf(entry),
    body: links.replaceIn(markdown),
    excerpt: '',
    status,
    publishedAt,
    archiveAt: null,
    updatedAt: readSourceDate(entry.updated, 'UTC'),
    category: null,
    tags: entry.labels.filter((name) => toSlug(name) !== '').map((name) => ({ name: shorten(name, 100) })),
    author: toSlug(entry.author) === '' ? null : { name: shorten(entry.author, 200) },
    cover: null,
    aliases: isPublished && old !== null ? [old] : [],
    guid: isPublished ? entry.id : '',
    comments: readComments(comments.get(entry.id) ?? [], warnings),
  };
  return { post, warnings: [...warnings, ...lost], written: markdown };
}

function stateOf({ isPublic, published }: BloggerEntry, now: Date, warnings: string[]): PostState {
  const publishedAt = readSourceDate(published, 'UTC');
  if (!isPublic) return { status: 'draft', publishedAt: null };
  const status = publishedAt && publishedAt > now ? 'scheduled' : 'published';
  return datedState(status, publishedAt, { isPage: false, now }, warnings);
}

/** The last part of `/2020/01/a-post.html`; of a draft, which has no address, the title. */
function slugOf({ id, address, title }: BloggerEntry): string {
  const oldName = path.posix.basename(oldAddress(address) ?? '').replace(/\.html$/, '');
  const slug = toSlug(oldName) ? oldName : textOfHtml(title);
  return toSlug(slug) ? slug : `post-${/(\d+)$/.exec(id)?.[1] ?? ''}`;
}

/** The blog's origins. Google Takeout names paths only, so the links of texts to the blog's own posts are read too. */
function sitesOf(entries: BloggerEntry[]): string[] {
  const whole = entries.flatMap(({ address }) => (URL.canParse(address) ? [new URL(address).origin] : []));
  const paths = new Set(entries.map(({ address }) => oldAddress(address)));
  const linked = entries.flatMap(({ content }) =>
    [...content.matchAll(/(https?:\/\/[\w.-]+)(\/(?:\d{4}\/\d{2}|p)\/[^"'<>\s?#]+\.html)/g)].flatMap(
      ([, origin, path]) => (paths.has(oldAddress(path!)) ? [origin!] : []),
    ),
  );
  return [...new Set([...whole, ...linked])];
}

function commentsByPost(entries: BloggerEntry[]): Map<string, BloggerEntry[]> {
  const byPost = new Map<string, BloggerEntry[]>();
  for (const entry of entries) {
    if (entry.kind !== 'comment' || !entry.isPublic || entry.answers === '') continue;
    const others = byPost.get(entry.answers);
    if (others) others.push(entry);
    else byPost.set(entry.answers, [entry]);
  }
  return byPost;
}

// `answers` names the post: the export does not tell which comment answers another.
function readComments(entries: BloggerEntry[], warnings: string[]): SourceComment[] {
  const dated = entries.flatMap(({ id, author, content, published }) => {
    const writtenAt = readSourceDate(published, 'UTC');
    const isEmpty = textOfHtml(content) === '' && !/<img/i.test(content);
    if (writtenAt === null || isEmpty) return [];
    return [{ id, answers: '', author, html: content, writtenAt }];
  });
  return orderComments(dated, (html) => htmlToMarkdown(html).markdown, warnings);
}
