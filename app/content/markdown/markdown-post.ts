import { AppError } from '#app/platform/errors.ts';
import { toSlug } from '#app/platform/slug.ts';
import { postStatuses, type PostStatus } from '#app/posts/states.ts';
import { readFrontMatter } from '../front-matter.ts';
import { excerptOf } from '../excerpt-of.ts';
import type { SourcePost, SourceTerm } from '../source-post.ts';
import { dayInName, dayInPath, readSourceDate } from '../source-date.ts';

export interface MarkdownFile {
  /** Below the folder, with `/`. */
  path: string;
  text: string;
}

export interface MarkdownContext {
  /** A date without a zone is the site's. */
  timeZone: string;
  now: Date;
}

/** A file as a post; `cover` is still the address as it was written. */
export interface ReadMarkdownPost {
  post: SourcePost;
  warnings: string[];
}

/**
 * Reads a Markdown file by the rules of the contract, section 7.
 * @throws AppError `invalid_input` with the reason why it cannot be a post.
 */
export function readMarkdownPost(file: MarkdownFile, context: MarkdownContext): ReadMarkdownPost {
  const { data, body } = readFrontMatter(file.text);
  const fields = new Fields(data);
  const warnings: string[] = [];
  const oldPath = fields.text('path');
  const name = nameOf(file.path);
  const titled = titleOf(fields.text('title'), body, name.rest);
  const dated = dateOf(fields, oldPath ?? '', name.day, context);
  const { status, publishedAt } = stateOf(fields, dated, context.now, warnings);
  const [author, ...others] = fields.names('author', 'authors');
  if (others.length > 0) warnings.push(`A post has one author: ${others.join(', ')} left out.`);
  const [category, ...further] = fields.text('category') ? [fields.text('category')!] : fields.categories();
  if (further.length > 0) warnings.push(`A post has one category: ${further.join(', ')} left out.`);
  const post: SourcePost = {
    title: titled.title,
    slug: fields.text('slug') ?? lastSegment(oldPath) ?? name.rest,
    body: titled.body,
    excerpt: excerptOf(fields.text('excerpt', 'description', 'summary') ?? '', warnings),
    status,
    publishedAt,
    archiveAt: fields.date(context.timeZone, 'archive_at', 'archiveAt'),
    updatedAt: fields.date(context.timeZone, 'updated'),
    category: category === undefined ? null : { name: category, slug: fields.text('category_slug') ?? '' },
    tags: tagsOf(fields, warnings),
    author: author === undefined ? null : { name: author, username: fields.text('author_username') ?? '' },
    cover: fields.nestedText('image', 'cover', 'image'),
    coverAlt: fields.text('cover_alt', 'coverAlt') ?? '',
    seoTitle: fields.text('seo_title', 'seoTitle') ?? '',
    seoDescription: fields.text('seo_description', 'seoDescription') ?? '',
    canonicalUrl: fields.text('canonical_url', 'canonicalUrl') ?? '',
    aliases: [
      ...(oldPath === null ? [] : [oldPath]),
      ...fields.list('aliases'),
      ...fields.list('redirect_from'),
    ],
  };
  return { post, warnings };
}

interface Dated {
  date: Date | null;
}

function dateOf(fields: Fields, oldPath: string, dayOfName: string | null, context: MarkdownContext): Dated {
  const written = fields.date(context.timeZone, 'date', 'publishedAt', 'published_at');
  if (written) return { date: written };
  const day = dayInPath(oldPath) ?? dayOfName;
  return { date: day === null ? null : readSourceDate(day, context.timeZone) };
}

function stateOf(
  fields: Fields,
  { date }: Dated,
  now: Date,
  warnings: string[],
): { status: PostStatus; publishedAt: Date | null } {
  const wanted = fields.status();
  if (date === null) {
    // What was archived may never have been published.
    if (wanted === 'archived') return { status: wanted, publishedAt: null };
    if (wanted !== 'draft') warnings.push('No date: the post becomes a draft.');
    return { status: 'draft', publishedAt: null };
  }
  if (wanted === 'published' && date > now) {
    warnings.push('Published, but its date is in the future: the post is scheduled.');
    return { status: 'scheduled', publishedAt: date };
  }
  return { status: wanted ?? (date <= now ? 'published' : 'scheduled'), publishedAt: date };
}

/** Of `2014-09-15-Rust-1.0.md` or, for `index.md`, of its folder. */
function nameOf(path: string): { day: string | null; rest: string } {
  const segments = path.split('/');
  const file = segments.pop()!.replace(/\.[^.]+$/, '');
  const isIndex = /^_?index$/i.test(file);
  return dayInName((isIndex ? segments.pop() : undefined) ?? file);
}

/** The title, or the heading that the text begins with, or the file's name. */
function titleOf(written: string | null, body: string, name: string): { title: string; body: string } {
  if (written !== null) return { title: written, body };
  const heading = /^\s*# +([^\n]+?)(?: +#+)? *(?:\n+|$)/.exec(body);
  if (heading) return { title: heading[1]!, body: body.slice(heading[0].length) };
  return { title: name.replace(/[-_]+/g, ' ').trim(), body };
}

// Two spellings of one tag are one.
function tagsOf(fields: Fields, warnings: string[]): SourceTerm[] {
  const bySlug = new Map<string, SourceTerm>();
  const names = [...fields.list('tags'), ...fields.taxonomy('tags')];
  const slugs = fields.list('tag_slugs');
  for (const [index, name] of names.entries()) {
    const slug = toSlug((slugs.length === names.length && slugs[index]) || name);
    if (slug === '') warnings.push(`The tag “${name}” has no letter or digit and was left out.`);
    else if (!bySlug.has(slug)) bySlug.set(slug, { name, slug });
  }
  return [...bySlug.values()];
}

function lastSegment(path: string | null): string | null {
  return path?.split('/').findLast((segment) => toSlug(segment) !== '') ?? null;
}

/** The values of a front matter, with a reason where one has the wrong form. */
class Fields {
  private readonly data: Record<string, unknown>;

  constructor(data: Record<string, unknown>) {
    this.data = data;
  }

  /** The first of these that says something; null without one. */
  text(...names: string[]): string | null {
    for (const name of names) {
      const value = this.value(name);
      if (value === null || value === '') continue;
      if (value instanceof Date) return value.toISOString();
      if (typeof value !== 'string' && typeof value !== 'number') throw wrong(name, 'a text');
      if (String(value).trim() !== '') return String(value).trim();
    }
    return null;
  }

  /** Like `text`, where some themes want a table with the text under one name. */
  nestedText(inner: string, ...names: string[]): string | null {
    for (const name of names) {
      const value = this.value(name);
      if (isTable(value) && Object.hasOwn(value, inner)) return new Fields(value).text(inner);
    }
    return this.text(...names);
  }

  /** A list of names, or a text that is one name, commas and all: `Felix Klock, Wesley Wiser`; empty without one. */
  names(...names: string[]): string[] {
    for (const name of names) {
      const value = this.value(name);
      if (value !== null) return listOf(name, Array.isArray(value) ? value : [value]);
    }
    return [];
  }

  /** A list, or one text, in which commas part; empty without one. */
  list(...names: string[]): string[] {
    for (const name of names) {
      const value = this.value(name);
      if (value === null) continue;
      return listOf(name, value);
    }
    return [];
  }

  /** A table inside the front matter; empty without one. */
  table(name: string): Fields {
    const value = this.value(name);
    return new Fields(isTable(value) ? value : {});
  }

  categories(): string[] {
    const own = this.list('categories');
    return own.length > 0 ? own : this.taxonomy('categories');
  }

  taxonomy(name: string): string[] {
    return this.table('taxonomies').list(name);
  }

  date(timeZone: string, ...names: string[]): Date | null {
    for (const name of names) {
      const value = this.value(name);
      if (value === null || value === '') continue;
      const date = readSourceDate(value, timeZone);
      if (!date) throw wrong(name, 'a date such as 2026-11-20 or 2026-11-20T08:00:00Z');
      return date;
    }
    return null;
  }

  status(): PostStatus | null {
    const written = this.text('status')?.toLowerCase() ?? null;
    if (written !== null && !(postStatuses as readonly string[]).includes(written))
      throw wrong('status', `one of ${postStatuses.join(', ')}`);
    if (written !== null) return written as PostStatus;
    return this.value('draft') === true || this.value('published') === false ? 'draft' : null;
  }

  private value(name: string): unknown {
    return Object.hasOwn(this.data, name) ? (this.data[name] ?? null) : null;
  }
}

function listOf(name: string, value: unknown): string[] {
  const parts = Array.isArray(value)
    ? (value as unknown[])
    : typeof value === 'string'
      ? value.split(',')
      : [value];
  return parts
    .filter((part) => part !== null && part !== undefined)
    .map((part) => (hasName(part) ? part.name : part))
    .map((part) => {
      if (part instanceof Date) return part.toISOString();
      if (typeof part !== 'string' && typeof part !== 'number') throw wrong(name, 'a list of texts');
      return String(part).trim();
    })
    .filter((part) => part !== '');
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function hasName(value: unknown): value is { name: unknown } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'name');
}

function wrong(name: string, wanted: string): AppError {
  return new AppError('invalid_input', `The front matter's “${name}” is not ${wanted}.`);
}
