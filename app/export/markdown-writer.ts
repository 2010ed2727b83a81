import { stringify as stringifyToml } from 'smol-toml';
import { stringify as stringifyYaml } from 'yaml';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import { replaceAddresses } from '#app/posts/markdown/addresses.ts';
import { writeFrontMatter } from './front-matter.ts';
import {
  frontMatterOf,
  markdownFileOf,
  commentFile,
  siteDataFiles,
  type ExportedSite,
  type ExportWriter,
  type OutgoingPost,
} from './post.ts';
import { EXPORTED_BY } from './targets.ts';

const open = /\{\{([<%])/g;
const close = /([>%])\}\}/g;
const escapedOpen = /\{\{([<%])\/\*/g;
const escapedClose = /\*\/([>%])\}\}/g;

/** Escapes what Hugo would expand as a shortcode, which it does in code blocks too. */
function escapeShortcodes(text: string): string {
  return replacePairs(
    text,
    open,
    () => close,
    ([start], inner, [end]) => `${start}/*${inner}*/${end}`,
  );
}

/** Undoes `escapeShortcodes`. */
export function unescapeShortcodes(text: string): string {
  return replacePairs(
    text,
    escapedOpen,
    () => escapedClose,
    ([, start], inner, [, end]) => `{{${start}${inner}${end}}}`,
  );
}

/** One file a post, with the front matter that an import reads first. */
export function markdownWriter(site: ExportedSite): ExportWriter {
  return {
    filesOf: (post) => {
      const name = `${post.type}s/${post.fileName}`;
      const up = '../'.repeat(name.split('/').length - 1);
      const text = markdownFileOf(withMediaAt(post, '../media/', `${up}media/`));
      return [{ file: `${name}.md`, text }, ...commentFile(post, `${name}.comments.json`)];
    },
    lastFiles: () => siteDataFiles(site, ''),
  };
}

/** Separates the comment files of pages and posts, which may have the same name. */
function commentFolderOf({ type }: OutgoingPost): string {
  return type === 'page' ? 'pages/' : '';
}

/** A post with other addresses of its media, for a file in a deeper folder than usual. */
function withMediaAt(post: OutgoingPost, from: string, to: string): OutgoingPost {
  if (from === to) return post;
  const moved = (address: string) => (address.startsWith(from) ? to + address.slice(from.length) : null);
  return {
    ...post,
    body: replaceAddresses(post.body, moved),
    cover: post.cover && (moved(post.cover) ?? post.cover),
  };
}

/** A Hugo site without a theme. */
export function hugoWriter(site: ExportedSite): ExportWriter {
  return {
    filesOf: (post) => {
      // Hugo takes a folder with an `index.md` for one post.
      const name = post.fileName.replace(/(^|\/)index$/, '$1index_');
      return [
        { file: `content/${post.type}s/${name}.md`, text: hugoFileOf(post, site) },
        ...commentFile(post, `data/comments/${commentFolderOf(post)}${name}.json`),
      ];
    },
    lastFiles: () => [
      {
        file: 'hugo.toml',
        text: stringifyToml({ baseURL: `${site.url}/`, languageCode: site.language, title: site.title }),
      },
      ...siteDataFiles(site, 'data/'),
    ],
  };
}

function hugoFileOf(post: OutgoingPost, site: ExportedSite): string {
  const { updated, status, archive_at, category, excerpt, cover, ...same } = frontMatterOf(post);
  return writeFrontMatter({
    data: {
      ...same,
      lastmod: updated,
      url: post.type === 'page' ? `${post.path}/` : null,
      ...stateOf(post, site, { draft: true }),
      expiryDate: archive_at,
      categories: category === null ? [] : [category],
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
      ...commentFile(post, `_data/comments/${commentFolderOf(post)}${post.fileName}.json`),
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
          include: ['_pages'],
        }),
      },
      ...siteDataFiles(site, '_data/'),
    ],
  };
}

function jekyllFile({ type, publishedAt, fileName }: OutgoingPost): string {
  if (type === 'page') return `_pages/${fileName}.md`;
  return publishedAt === null
    ? `_drafts/${fileName}.md`
    : `_posts/${publishedAt.toISOString().slice(0, 10)}-${fileName}.md`;
}

function jekyllFileOf(post: OutgoingPost, site: ExportedSite): string {
  const { updated, status, category, cover, aliases, ...same } = frontMatterOf(post);
  return writeFrontMatter({
    data: {
      layout: post.type,
      ...same,
      last_modified_at: updated,
      ...stateOf(post, site, { published: false }),
      categories: category === null ? [] : [category],
      image: cover,
      permalink: `${post.path}/`,
      redirect_from: aliases,
      // Escapes braces, which Liquid would interpret.
      render_with_liquid: false,
      exported_by: EXPORTED_BY,
    },
    body: post.body.replace(/\r\n?/g, '\n'),
  });
}

/** Generators have two states: public by date, and hidden. An additional field holds the exact state. */
function stateOf({ status, publishedAt }: OutgoingPost, { now }: ExportedSite, hidden: object): object {
  if (status === 'published') return {};
  if (status === 'scheduled' && publishedAt !== null && publishedAt > now) return {};
  return status === 'draft' ? hidden : { ...hidden, status };
}
