import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { excerptOf, shorten } from '#app/export/excerpt-of.ts';
import type { AddressPlanner, RequestedAddress } from '#app/import/addresses/plan.server.ts';
import { attribute, find, hasClass, isElement, replaceElements } from '#app/import/html/nodes.ts';
import { textOfHtml, treeToMarkdown } from '#app/import/html/to-markdown.ts';
import type { MediaFolder } from '#app/import/media/folder.server.ts';
import { readSourceDate } from '#app/import/model/date.ts';
import type { ContentSource, SourcePost } from '#app/import/model/post.ts';
import { openArchiveFiles, type ArchiveFiles } from '#app/import/source/files.server.ts';
import { archiveSource, nameOf, type ReadPost } from '#app/import/source/item.server.ts';
import { invalidInput } from '#app/platform/errors.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { replaceAddresses } from '#app/posts/markdown/addresses.ts';

const parser = unified().use(rehypeParse);

/**
 * An export of Medium: one HTML file a post in `posts/`, as a folder or as the ZIP file that Medium sends.
 * @throws AppError `invalid_input` when it is something else.
 */
export async function openMediumExport(
  input: string,
  { now, media, addresses }: { now: Date; media: MediaFolder; addresses: AddressPlanner },
): Promise<ContentSource> {
  const archive = await openArchiveFiles(input);
  const files = archive.files.filter((file) => /(^|\/)posts\/[^/]+\.html?$/.test(file));
  if (files.length === 0)
    throw invalidInput('This is not an export of Medium: it has no HTML files in posts/.');
  const links = await linksOf(archive, files, addresses);
  const posts = files.map((file) => ({
    key: keyOf(file),
    files: [file],
    read: async () => readPost(nameOf(file), await archive.text(file), { now, links }),
  }));
  return archiveSource(archive, posts, { media, read: [] });
}

/**
 * Stories link to each other by addresses at Medium or at their own domain. All these addresses end with the story's
 * id.
 */
async function linksOf(
  archive: ArchiveFiles,
  files: string[],
  plan: AddressPlanner,
): Promise<Map<string, string>> {
  const stories: (RequestedAddress & { id: string })[] = [];
  for (const file of files) {
    const id = idOf(nameOf(file));
    if (id === '' || /^draft_/.test(nameOf(file))) continue;
    // A file that cannot be read is reported when its post is read.
    const html = await archive.text(file).catch(() => '');
    const link = /<a\s[^<>]{0,2000}class="p-canonical"[^<>]*>/.exec(html)?.[0] ?? '';
    const title = textOfHtml(/<title>([^<]*)/.exec(html)?.[1] ?? '');
    const slug = slugOf(/href="([^"]*)"/.exec(link)?.[1] ?? '', title) || `post-${id}`;
    stories.push({ id, key: keyOf(file), slug, above: '/posts/' });
  }
  const addresses = await plan(stories);
  return new Map(stories.map(({ id }, index) => [id, addresses[index]!]));
}

function keyOf(file: string): string {
  return file.replace(/^.*\/(?=posts\/)/, '');
}

/** The id in `a-post-0123456789ab`. */
function idOf(name: string): string {
  return /-([\da-f]{6,14})$/.exec(name)?.[1] ?? '';
}

function replaceLinks(markdown: string, links: Map<string, string>): string {
  return replaceAddresses(markdown, (address) => {
    const [, id, fragment = ''] = /^https?:\/\/.*[-/]([\da-f]{10,14})(?:\?[^#]*)?(#.*)?$/.exec(address) ?? [];
    const postAddress = links.get(id ?? '');
    return postAddress === undefined ? null : postAddress + fragment;
  });
}

function readPost(
  name: string,
  html: string,
  { now, links }: { now: Date; links: Map<string, string> },
): ReadPost {
  const warnings: string[] = [];
  const tree = parser.parse(html);
  const byClass = (className: string) => find(tree, (node) => hasClass(node, className));
  const bodyNode = byClass('e-content') ?? find(tree, (node) => attribute(node, 'dataField') === 'body');
  if (!bodyNode) throw invalidInput('It is not a post as Medium exports them.');
  const heading = byClass('p-name') ?? find(tree, (node) => node.tagName === 'title');
  const title = (heading ? toString(heading) : '').replace(/\s+/g, ' ').trim() || 'Untitled';
  const summary = byClass('p-summary');
  const author = byClass('p-author');
  const time = byClass('dt-published');
  const canonical = byClass('p-canonical');
  const isDraft = /^draft_/.test(name);
  const publishedAt = isDraft || !time ? null : readSourceDate(attribute(time, 'dateTime'), 'UTC');
  if (!isDraft && publishedAt === null) warnings.push('No date: the post becomes a draft.');
  const address = canonical ? attribute(canonical, 'href') : '';
  const id = idOf(name);
  const subtitle = find(bodyNode, (node) => hasClass(node, 'graf--subtitle'));
  const excerpt = excerptOf(toString(subtitle ?? summary ?? { type: 'root', children: [] }), warnings);
  const { markdown, warnings: lost } = treeToMarkdown(withoutHead(bodyNode, title));
  const post: SourcePost = {
    title: shorten(title, 300),
    slug: slugOf(address, title) || `post-${id || name}`,
    body: replaceLinks(markdown, links),
    excerpt,
    status: publishedAt === null ? 'draft' : publishedAt > now ? 'scheduled' : 'published',
    publishedAt,
    archiveAt: null,
    updatedAt: null,
    category: null,
    tags: [],
    author: author ? { name: shorten(toString(author).trim(), 200) || 'Medium' } : null,
    cover: null,
    aliases: publishedAt === null ? [] : [...pathsOf(address), ...(id === '' ? [] : [`/p/${id}`])],
    guid: publishedAt === null || id === '' ? '' : `https://medium.com/p/${id}`,
  };
  return { post, warnings: [...warnings, ...lost], written: markdown };
}

/** Medium repeats title and subtitle at the beginning of the text; the subtitle is the excerpt, shown below the title. */
function withoutHead(body: Element, title: string): Root {
  let isFirst = true;
  const tree: Root = { type: 'root', children: body.children };
  replaceElements(tree, (node) => {
    const isTitle =
      hasClass(node, 'graf--title') ||
      (isFirst && isElement(node, 'h1', 'h2', 'h3') && toString(node).replace(/\s+/g, ' ').trim() === title);
    if (isTitle && isFirst) {
      isFirst = false;
      return [];
    }
    if (hasClass(node, 'graf--subtitle')) return [];
    // Lines between the sections of a text.
    return hasClass(node, 'section-divider') && isFirst ? [] : undefined;
  });
  return tree;
}

/** `https://medium.com/@ada/a-post-0123456789ab`. */
function slugOf(address: string, title: string): string {
  const last = URL.canParse(address) ? (new URL(address).pathname.split('/').at(-1) ?? '') : '';
  const slug = last.replace(/-?[\da-f]{10,14}$/, '');
  return toSlug(slug) ? slug : toSlug(title) ? title : '';
}

function pathsOf(address: string): string[] {
  return URL.canParse(address) && new URL(address).pathname !== '/' ? [new URL(address).pathname] : [];
}
