import { sha256Of } from '#app/platform/files/sha256.server.ts';
import { recordOf } from '#app/platform/narrow.ts';
import { shorten } from './excerpt-of.ts';
import {
  toPortable,
  type ExportedAuthor,
  type ExportedSite,
  type ExportedTerm,
  type ExportWriter,
  type OutgoingPost,
} from './post.ts';

/** The length limits of Ghost's importer. */
const ghostLimits = { title: 255, excerpt: 300, alt: 191, description: 500, name: 191, bio: 200 } as const;
const VERSION = '5.0.0';

/**
 * Writes a Ghost export: posts with their text in a Markdown card, tags, authors, and the redirects file. What Ghost has
 * no field for is in a table of its own, which Ghost ignores.
 */
export function ghostWriter(site: ExportedSite): ExportWriter {
  const names = ['posts_meta', 'posts_tags', 'posts_authors', 'dateline_posts'] as const;
  const rows = recordOf(names, (): object[] => []);
  const terms = new Map<string, ExportedTerm>();
  for (const term of [...site.categories, ...site.tags])
    if (!terms.has(term.slug)) terms.set(term.slug, term);
  const redirects: object[] = [];
  let count = 0;
  return {
    filesOf: () => [],
    partOf: (post) => {
      const id = ghostId(`post ${post.id}`);
      rows.posts_meta.push(metaOf(post, id));
      const termSlugs = [...(post.category ? [post.category] : []), ...post.tags].map(({ slug }) => slug);
      for (const [order, slug] of [...new Set(termSlugs)].entries())
        rows.posts_tags.push({
          id: ghostId(`${post.id} ${slug}`),
          post_id: id,
          tag_id: ghostId(`tag ${slug}`),
          sort_order: order,
        });
      if (post.author)
        rows.posts_authors.push({
          id: ghostId(`${post.id} author`),
          post_id: id,
          author_id: userId(post.author),
          sort_order: 0,
        });
      rows.dateline_posts.push({ post_id: id, post: toPortable(post) });
      for (const path of [post.path, ...post.redirects].filter((candidate) => candidate !== `/${post.slug}`))
        redirects.push({ from: patternOf(path), to: `/${post.slug}/`, permanent: true });
      count += 1;
      return `${count === 1 ? '' : ',\n'}${JSON.stringify(postOf(post, id, site))}`;
    },
    whole: {
      file: 'ghost.json',
      start: `{"db":[{"meta":{"exported_on":${site.now.getTime()},"version":"${VERSION}"},"data":{"posts":[\n`,
      end: () => {
        const tables = {
          ...rows,
          tags: [...terms.values()].map(tagOf),
          users: site.authors.map(userOf),
          settings: [
            { key: 'title', value: site.title },
            { key: 'description', value: site.description },
          ],
        };
        const tableTexts = Object.entries(tables).map(([name, list]) => `"${name}":${JSON.stringify(list)}`);
        return `\n],\n${tableTexts.join(',\n')}}}]}\n`;
      },
    },
    lastFiles: () => [{ file: 'redirects.json', text: `${JSON.stringify(redirects, null, 2)}\n` }],
  };
}

const statuses: Record<string, string> = { published: 'published', scheduled: 'scheduled' };

function postOf(post: OutgoingPost, id: string, site: ExportedSite) {
  return {
    id,
    uuid: post.id,
    title: shorten(post.title, ghostLimits.title),
    slug: post.slug,
    html: null,
    lexical: markdownCard(post.body),
    mobiledoc: null,
    feature_image: post.cover && `__GHOST_URL__${post.cover}`,
    featured: 0,
    type: post.type,
    status: statuses[post.status] ?? 'draft',
    visibility: 'public',
    author_id: post.author && userId(post.author),
    created_at: post.createdAt,
    updated_at: post.contentUpdatedAt < site.now ? post.contentUpdatedAt : site.now,
    published_at: post.publishedAt,
    custom_excerpt: shorten(post.excerpt, ghostLimits.excerpt) || null,
    canonical_url: post.canonicalUrl || null,
  };
}

/** A document that consists of one Markdown card. */
function markdownCard(markdown: string): string {
  const root = {
    children: [{ type: 'markdown', version: 1, markdown }],
    direction: null,
    format: '',
    indent: 0,
    type: 'root',
    version: 1,
  };
  return JSON.stringify({ root });
}

function metaOf(post: OutgoingPost, id: string) {
  return {
    id: ghostId(`${post.id} meta`),
    post_id: id,
    meta_title: post.seoTitle || null,
    meta_description: shorten(post.seoDescription, ghostLimits.description) || null,
    feature_image_alt: shorten(post.coverAlt, ghostLimits.alt) || null,
  };
}

function tagOf({ name, slug, description }: ExportedTerm) {
  const id = ghostId(`tag ${slug}`);
  return {
    id,
    name: shorten(name, ghostLimits.name),
    slug,
    description: shorten(description, ghostLimits.description) || null,
    visibility: 'public',
  };
}

function userOf(author: ExportedAuthor) {
  const { displayName: name, username: slug, email, bio } = author;
  return {
    id: userId(author),
    name: shorten(name, ghostLimits.name),
    slug,
    email: email || null,
    bio: shorten(bio, ghostLimits.bio) || null,
  };
}

function userId({ username }: { username: string }): string {
  return ghostId(`user ${username}`);
}

/** Ghost's ids are 24 hexadecimal digits. */
function ghostId(name: string): string {
  return sha256Of(name).slice(0, 24);
}

/** A path as the regular expression that Ghost's redirects need. */
function patternOf(path: string): string {
  return `^${path.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}\\/?$`;
}
