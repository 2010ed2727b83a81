import { parse as parseCsv } from 'csv-parse/sync';
import * as z from 'zod';
import { excerptOf, shorten } from '#app/export/excerpt-of.ts';
import { LinksBetweenPosts } from '#app/import/addresses/links-between-posts.ts';
import type { AddressPlanner } from '#app/import/addresses/plan.server.ts';
import { htmlToMarkdown, textOfHtml } from '#app/import/html/to-markdown.ts';
import type { MediaFolder } from '#app/import/media/folder.server.ts';
import { readSourceDate, datedState, type PostState } from '#app/import/model/date.ts';
import type { ContentSource, SourcePost } from '#app/import/model/post.ts';
import { openArchiveFiles, type ArchiveFiles } from '#app/import/source/files.server.ts';
import { archiveSource, nameOf, type ArchivedPost, type ReadPost } from '#app/import/source/item.server.ts';
import { messageOf, invalidInput } from '#app/platform/errors.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { fillInEmbeds } from './substack-embeds.ts';

const text = z.string().default('');
const rowSchema = z.object({
  post_id: z.string().min(1),
  ...{ post_date: text, is_published: text, type: text, audience: text, title: text, subtitle: text },
  podcast_url: text,
});
type Row = z.output<typeof rowSchema>;

/**
 * An export of Substack: `posts.csv` and `posts/<id>.<slug>.html`, as a folder or as the ZIP file that Substack sends.
 * @throws AppError `invalid_input` when it is something else.
 */
export async function openSubstackExport(
  input: string,
  { now, media, addresses }: { now: Date; media: MediaFolder; addresses: AddressPlanner },
): Promise<ContentSource> {
  const archive = await openArchiveFiles(input);
  const list = archive.files.find((file) => /(^|\/)posts\.csv$/.test(file));
  if (list === undefined) throw invalidInput('This is not an export of Substack: it has no posts.csv.');
  const texts = new Map(
    archive.files
      .filter((file) => /(^|\/)posts\/[^/]+\.html$/.test(file))
      .map((file) => [nameOf(file), file]),
  );
  const rows = rowsOf(await archive.text(list));
  const address = await addressOf(archive, rows, [...texts.values()]);
  const publicPosts = rows.filter(isPublic).map((row) => ({
    key: row.post_id,
    slug: slugOf(row),
    oldAddresses: [`/p/${slugOf(row)}`],
    ...(row.type === 'page' && { above: '/' }),
  }));
  const links = await LinksBetweenPosts.plan(publicPosts, addresses, [address]);
  const context = { now, address, links };
  const posts = rows.map((row) => archivedPost(archive, row, { file: texts.get(row.post_id), ...context }));
  const source = archiveSource(archive, posts, { media, read: [list] });
  const note = 'The export does not say where the publication was: readers of its feed may see posts as new.';
  return { ...source, notes: () => (address === '' && posts.length > 0 ? [note] : []) };
}

function rowsOf(csv: string): Row[] {
  try {
    const rows: unknown = parseCsv(csv, {
      columns: true,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
    return z.array(rowSchema).parse(rows);
  } catch (error) {
    throw invalidInput(`posts.csv cannot be read: ${messageOf(error).split('\n')[0]}`, error);
  }
}

/** How many texts are searched for the address of the publication. */
const SAMPLE = 200;

/** The address of the publication, found in links between its posts; `''` without such links. */
async function addressOf(archive: ArchiveFiles, rows: Row[], texts: string[]): Promise<string> {
  const slugs = new Set(rows.map(slugOf));
  const counts = new Map<string, number>();
  for (const file of texts.slice(0, SAMPLE)) {
    // A file that cannot be read is reported when its post is read.
    const html = await archive.text(file).catch(() => '');
    for (const [, origin, slug] of html.matchAll(/(https:\/\/[\w.-]+)\/p\/([\w-]+)/g))
      if (slugs.has(slug!) && origin !== 'https://open.substack.com')
        counts.set(origin!, (counts.get(origin!) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return best?.[0] ?? '';
}

// `123456.a-post`: the number, then the address.
function slugOf(row: Row): string {
  return row.post_id.replace(/^\d+\./, '');
}

/** Published, and for everybody. */
function isPublic({ is_published: published, audience }: Row): boolean {
  return published.toLowerCase() === 'true' && ['', 'everyone'].includes(audience);
}

interface Place {
  file: string | undefined;
  now: Date;
  address: string;
  links: LinksBetweenPosts;
}

function archivedPost(archive: ArchiveFiles, row: Row, { file, ...place }: Place): ArchivedPost {
  return {
    key: row.post_id,
    files: file === undefined ? [] : [file],
    read: async () => {
      if (file === undefined) throw invalidInput('The export holds no text of it.');
      return readPost(row, await archive.text(file), place);
    },
  };
}

function readPost(row: Row, html: string, { now, address, links }: Omit<Place, 'file'>): ReadPost {
  const warnings: string[] = [];
  const slug = slugOf(row);
  // Signs in the list may be entities.
  const title = textOfHtml(row.title) || 'Untitled';
  const { markdown, warnings: lost } = htmlToMarkdown(html, (tree) => {
    warnings.push(...fillInEmbeds(tree));
  });
  const sound = /^https?:\/\//i.test(row.podcast_url) ? `![${title}](<${row.podcast_url}>)\n\n` : '';
  const { status, publishedAt } = stateOf(row, now, warnings);
  const isPage = row.type === 'page';
  const post: SourcePost = {
    title: shorten(title, 300),
    slug: toSlug(slug) ? slug : `post-${row.post_id}`,
    body: sound + links.replaceIn(markdown),
    excerpt: excerptOf(textOfHtml(row.subtitle), warnings),
    status,
    publishedAt,
    ...{ archiveAt: null, updatedAt: null, category: null, tags: [], author: null, cover: null },
    aliases: status === 'published' ? [`/p/${slug}`] : [],
    guid: status === 'published' && address !== '' && !isPage ? `${address}/p/${slug}` : '',
    ...(isPage && { type: 'page' as const }),
  };
  return { post, warnings: [...warnings, ...lost], written: sound + markdown };
}

function stateOf(row: Row, now: Date, warnings: string[]): PostState {
  const publishedAt = readSourceDate(row.post_date, 'UTC');
  if (row.is_published.toLowerCase() !== 'true') return { status: 'draft', publishedAt: null };
  if (row.audience !== '' && row.audience !== 'everyone') {
    warnings.push(`It was not for everybody (${row.audience}): the post becomes a draft.`);
    return { status: 'draft', publishedAt };
  }
  const status = publishedAt && publishedAt > now ? 'scheduled' : 'published';
  return datedState(status, publishedAt, { isPage: false, now }, warnings);
}
