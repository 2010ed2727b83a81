import { excerptOf, shorten } from '#app/export/excerpt-of.ts';
import {
  pathsHere,
  withLinksHere,
  type LinksBetweenPosts,
} from '#app/import/addresses/links-between-posts.ts';
import type { Redirects } from '#app/import/addresses/old-address.ts';
import { fillPermalink } from '#app/import/addresses/old-permalink.ts';
import { readSourceDate, datedState, type PostState } from '#app/import/model/date.ts';
import { readPortable, type SourcePost, type SourceTerm, canonicalOf } from '#app/import/model/post.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import type { PostStatus } from '#app/posts/fields/states.ts';
import { htmlToMarkdown, type ConvertedHtml } from '#app/import/html/to-markdown.ts';
import type { GhostExport, GhostPost } from './export-file.ts';
import type { GhostRoutes } from './address-files.ts';
import { readLexical, readMobiledoc } from './documents.ts';
import type { Segment } from './cards.ts';

/** Ghost's placeholder for the address of the site. */
const placeholder = /__GHOST_URL__/g;

/**
 * A post's text: its HTML, else its Lexical or Mobiledoc document.
 * @throws AppError `invalid_input` for HTML or a document that cannot be read.
 */
export function ghostBody(post: GhostPost): ConvertedHtml {
  const segments: Segment[] =
    post.html.trim() !== ''
      ? [{ html: post.html }]
      : post.lexical.trim() !== ''
        ? readLexical(post.lexical)
        : post.mobiledoc.trim() !== ''
          ? readMobiledoc(post.mobiledoc)
          : [];
  const warnings = new Set<string>();
  for (const segment of segments) if ('lost' in segment) warnings.add(segment.lost!);
  const parts = joined(segments).map((segment) => {
    if ('markdown' in segment) return segment.markdown.replace(placeholder, '').trim();
    const converted = htmlToMarkdown(segment.html.replace(placeholder, ''));
    for (const warning of converted.warnings) warnings.add(warning);
    return converted.markdown;
  });
  return { markdown: parts.filter((part) => part !== '').join('\n\n'), warnings: [...warnings] };
}

/** Joins neighbours of the same kind: footnotes and anchors link one paragraph to another. */
function joined(segments: Segment[]): Segment[] {
  const result: Segment[] = [];
  for (const segment of segments) {
    const last = result.at(-1);
    if (last && 'html' in last && 'html' in segment) last.html += `\n${segment.html}`;
    else result.push({ ...segment });
  }
  return result;
}

const statuses: Record<string, PostStatus> = {
  published: 'published',
  scheduled: 'scheduled',
  draft: 'draft',
  sent: 'draft',
};

export interface GhostContext {
  source: GhostExport;
  /** Posts and pages as texts link to them. */
  links: LinksBetweenPosts;
  /** The rules of the redirects file, by their targets: further old paths of posts and tags. */
  redirects: Pick<Redirects, 'take'>;
  routes: GhostRoutes;
  /** The time zone of dates in addresses. */
  timeZone: string;
  now: Date;
}

/**
 * A post or page of Ghost as a post; `cover` is still the address of the feature image.
 * @throws AppError `invalid_input` with the reason why it cannot become a post.
 */
export function readGhostPost(
  row: GhostPost,
  context: GhostContext,
): { post: SourcePost; warnings: string[] } {
  const { source, redirects } = context;
  const exported = readPortable(source.ownPosts.get(row.id));
  if (exported) {
    redirects.take(`/${exported.slug}`);
    const body = withLinksHere(exported.body, context.links);
    return { post: { ...exported, ...pathsHere(exported, context.links), body }, warnings: [] };
  }
  const { markdown, warnings } = ghostBody(row);
  const meta = source.meta.get(row.id);
  const isPage = isGhostPage(row);
  for (const name of ['codeinjection_head', 'codeinjection_foot'] as const)
    if (row[name].trim() !== '')
      warnings.push(`Its ${name} was left out: code of your own goes nowhere here.`);
  const { status, publishedAt } = stateOf(row, { isPage, now: context.now }, warnings);
  const authors = authorsOf(row, source);
  const title = row.title.replace(/\s+/g, ' ').trim() || 'Untitled';
  const slug = slugOf(row, title);
  const post: SourcePost = {
    title: shorten(title, 300),
    slug,
    body: context.links.replaceIn(markdown),
    excerpt: excerptOf(row.custom_excerpt, warnings),
    status,
    publishedAt,
    archiveAt: null,
    updatedAt: readSourceDate(row.updated_at, 'UTC'),
    category: null,
    tags: tagsOf(row, context, warnings),
    author: authors[0] ?? null,
    authors: authors.length > 1 ? authors.map(({ name }) => name) : [],
    ...(isPage && { type: 'page' as const }),
    cover: row.feature_image.replace('__GHOST_URL__', '') || null,
    coverAlt: shorten(meta?.feature_image_alt ?? '', 1_000),
    seoTitle: shorten(meta?.meta_title || row.meta_title, 300),
    seoDescription: shorten(meta?.meta_description || row.meta_description, 1_000),
    canonicalUrl: canonicalOf(row.canonical_url, warnings),
    guid: row.id,
    aliases: oldPathsOf(row, slug, context).flatMap((path) => [
      ...(status === 'published' ? [path] : []),
      ...redirects.take(path),
    ]),
  };
  return { post, warnings };
}

/** A post's default address in Ghost, and the one from its routes. */
export function oldPathsOf(
  row: GhostPost,
  slug: string,
  { source, routes, timeZone }: Pick<GhostContext, 'source' | 'routes' | 'timeZone'>,
): string[] {
  const usual = `/${slug}`;
  if (routes.permalink === null || isGhostPage(row)) return [usual];
  const tags = (source.tagsOfPost.get(row.id) ?? []).flatMap((id) => source.tags.get(id) ?? []);
  const categories = tags.filter(({ visibility }) => visibility !== 'internal').map((tag) => tag.slug);
  const date = readSourceDate(row.published_at, 'UTC');
  const named = { path: slug, name: slug, slug, categories };
  const address = fillPermalink(routes.permalink, { ...named, date, timeZone });
  return address === null ? [usual] : [...new Set([address.replace(/\/$/, ''), usual])];
}

export function isGhostPage({ type, page }: GhostPost): boolean {
  return type === 'page' || page === 1 || page === true;
}

function slugOf({ slug, id }: GhostPost, title: string): string {
  return slug || (toSlug(title) ? title : `post-${id}`);
}

function stateOf(row: GhostPost, context: { isPage: boolean; now: Date }, warnings: string[]): PostState {
  const status = statuses[row.status || 'draft'] ?? 'draft';
  const publishedAt = readSourceDate(row.published_at, 'UTC');
  if (row.status === 'sent') warnings.push('It was only sent by email: the post becomes a draft.');
  if (status === 'draft') return { status, publishedAt: null };
  if (row.visibility !== '' && row.visibility !== 'public') {
    warnings.push(`It was not for everybody (${row.visibility}): the post becomes a draft.`);
    return { status: 'draft', publishedAt };
  }
  return datedState(status, publishedAt, context, warnings);
}

function tagsOf(
  { id }: GhostPost,
  { source, redirects, routes }: GhostContext,
  warnings: string[],
): SourceTerm[] {
  const terms = new Map<string, SourceTerm>();
  for (const tagId of source.tagsOfPost.get(id) ?? []) {
    const tag = source.tags.get(tagId);
    if (!tag) continue;
    const slug = toSlug(tag.slug || tag.name);
    if (tag.visibility === 'internal' || tag.name.startsWith('#'))
      warnings.push(`The internal tag “${tag.name}” was left out.`);
    else if (slug === '') warnings.push(`The tag “${tag.name}” has no letter or digit and was left out.`);
    else if (!terms.has(slug)) {
      const path = `/tag/${tag.slug}`;
      terms.set(slug, {
        name: shorten(tag.name || tag.slug, 100),
        slug,
        description: shorten(tag.description, 2_000),
        aliases: [
          path,
          ...redirects.take(path),
          ...(routes.tag === null ? [] : [routes.tag.replaceAll('{slug}', tag.slug)]),
        ],
      });
    }
  }
  return [...terms.values()];
}

function authorsOf(row: GhostPost, source: GhostExport): NonNullable<SourcePost['author']>[] {
  const ids = source.authorsOfPost.get(row.id) ?? (row.author_id === '' ? [] : [row.author_id]);
  return ids.flatMap((id) => {
    const user = source.users.get(id);
    if (!user || (user.name || user.slug) === '') return [];
    return {
      name: shorten(user.name || user.slug, 200),
      username: user.slug,
      email: user.email,
      bio: shorten(user.bio, 2_000),
    };
  });
}
