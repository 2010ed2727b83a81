import { stringify as stringifyToml } from 'smol-toml';
import { stringify as stringifyYaml } from 'yaml';
import { frontMatterOf, markdownFileOf } from '../export-post.ts';
import { writeFrontMatter } from '../front-matter.ts';
import { escapeShortcodes } from '../markdown/escaped-shortcodes.ts';
import { EXPORTED_BY } from './export-targets.ts';
import type { ExportedSite, ExportWriter, OutgoingPost } from './export-writer.ts';
import { aboutFiles, commentFile } from './sidecar-files.ts';

/** One file a post, with the front matter that an import reads first. */
export function markdownWriter(site: ExportedSite): ExportWriter {
  return {
    filesOf: (post) => [
      { file: `posts/${post.fileName}.md`, text: markdownFileOf(post) },
      ...commentFile(post, `posts/${post.fileName}.comments.json`),
    ],
    lastFiles: () => aboutFiles(site, ''),
  };
}

/** A Hugo site without a theme. */
export function hugoWriter(site: ExportedSite): ExportWriter {
  return {
    filesOf: (post) => {
      // As `index.md` it would make a bundle of the whole folder.
      const name = post.fileName === 'index' ? 'index_' : post.fileName;
      return [
        { file: `content/posts/${name}.md`, text: hugoFileOf(post, site) },
        ...commentFile(post, `data/comments/${name}.json`),
      ];
    },
    lastFiles: () => [
      {
        file: 'hugo.toml',
        text: stringifyToml({ baseURL: `${site.url}/`, languageCode: site.language, title: site.title }),
      },
      ...aboutFiles(site, 'data/'),
    ],
  };
}

function hugoFileOf(post: OutgoingPost, site: ExportedSite): string {
  const { updated, status, archive_at, category, author, excerpt, cover, ...same } = frontMatterOf(post);
  return writeFrontMatter({
    data: {
      ...same,
      lastmod: updated,
      ...stateOf(post, site, { draft: true }),
      expiryDate: archive_at,
      categories: category === null ? [] : [category],
      authors: author === null ? [] : [author],
      summary: excerpt,
      images: cover === null ? [] : [cover],
      exported_by: EXPORTED_BY,
    },
    body: escapeShortcodes(post.body.replace(/\r\n?/g, '\n')),
  });
}

/** A Jekyll site without a theme; `jekyll-redirect-from` serves the old addresses. */
export function jekyllWriter(site: ExportedSite): ExportWriter {
  return {
    filesOf: (post) => [
      { file: jekyllFile(post), text: jekyllFileOf(post, site) },
      ...commentFile(post, `_data/comments/${post.fileName}.json`),
    ],
    lastFiles: () => [
      {
        file: '_config.yml',
        text: stringifyYaml({
          title: site.title,
          description: site.description,
          url: site.url,
          lang: site.language,
          plugins: ['jekyll-redirect-from'],
        }),
      },
      ...aboutFiles(site, '_data/'),
    ],
  };
}

function jekyllFile({ publishedAt, fileName }: OutgoingPost): string {
  return publishedAt === null
    ? `_drafts/${fileName}.md`
    : `_posts/${publishedAt.toISOString().slice(0, 10)}-${fileName}.md`;
}

function jekyllFileOf(post: OutgoingPost, site: ExportedSite): string {
  const { updated, status, category, cover, aliases, ...same } = frontMatterOf(post);
  return writeFrontMatter({
    data: {
      layout: 'post',
      ...same,
      last_modified_at: updated,
      ...stateOf(post, site, { published: false }),
      categories: category === null ? [] : [category],
      image: cover,
      permalink: `/posts/${post.slug}/`,
      redirect_from: aliases,
      // Braces in a text are text.
      render_with_liquid: false,
      exported_by: EXPORTED_BY,
    },
    body: post.body.replace(/\r\n?/g, '\n'),
  });
}

/** Generators know two states: what a date says, and hidden. What that does not tell stands beside it. */
function stateOf({ status, publishedAt }: OutgoingPost, { now }: ExportedSite, hidden: object): object {
  if (status === 'published') return {};
  if (status === 'scheduled' && publishedAt !== null && publishedAt > now) return {};
  return status === 'draft' ? hidden : { ...hidden, status };
}
