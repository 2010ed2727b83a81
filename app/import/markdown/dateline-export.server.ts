import path from 'node:path';
import * as z from 'zod';
import { pathsHere } from '#app/import/addresses/exported-path.ts';
import type { SourceComment, SourcePost } from '#app/import/model/post.ts';
import { readText } from '#app/import/source/read-text.server.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import type { PostLinks } from './post-links.server.ts';

const described = z.array(z.object({ slug: z.string(), description: z.string() }));
const terms = z.object({ categories: described.default([]), tags: described.default([]) });
const people = z.array(z.object({ name: z.string(), username: z.string(), bio: z.string() }));
const comments = z.array(
  z.object({
    parent: z.number().nullable(),
    name: z.string(),
    text: z.string(),
    writtenAt: z.iso.datetime().transform((value) => new Date(value)),
  }),
);

const aboutFolders = ['', 'data/', '_data/'];

/** The files of an export of Dateline besides the posts: comments, descriptions of terms, people. */
export class DatelineExport {
  /** Files of the folder that were read. */
  readonly read = new Set<string>();
  private readonly root: string;
  private readonly files: ReadonlySet<string>;
  private readonly descriptions = { category: new Map<string, string>(), tag: new Map<string, string>() };
  private readonly people = new Map<string, z.output<typeof people>[number]>();

  static async open(root: string, files: string[]): Promise<DatelineExport> {
    const ownExport = new DatelineExport(root, new Set(files));
    for (const folder of aboutFolders) {
      const exportedTerms = await ownExport.json(`${folder}terms.json`, terms);
      for (const { slug, description } of exportedTerms?.categories ?? [])
        ownExport.descriptions.category.set(slug, description);
      for (const { slug, description } of exportedTerms?.tags ?? [])
        ownExport.descriptions.tag.set(slug, description);
      for (const person of (await ownExport.json(`${folder}authors.json`, people)) ?? [])
        ownExport.people.set(person.username, person);
    }
    return ownExport;
  }

  private constructor(root: string, files: ReadonlySet<string>) {
    this.root = root;
    this.files = files;
  }

  /** Adds to a post what these files contain about it, and the paths that the posts it names get on this site. */
  async complete(file: string, post: SourcePost, links: PostLinks): Promise<void> {
    Object.assign(post, pathsHere(post, links));
    const { category, tags, author } = post;
    const describe = (kind: 'category' | 'tag', term: SourcePost['tags'][number]) => {
      term.description = this.descriptions[kind].get(toSlug(term.slug || term.name)) ?? '';
    };
    if (category) describe('category', category);
    for (const tag of tags) describe('tag', tag);
    if (author) author.bio = this.people.get(author.username || toSlug(author.name))?.bio ?? '';
    post.accounts = (post.authors ?? []).flatMap((username) => this.people.get(username) ?? []);
    post.comments = await this.commentsOf(file);
  }

  private async commentsOf(file: string): Promise<SourceComment[]> {
    const name = path.posix.basename(file, '.md');
    const page = /^(?:content\/|_)pages\/(.+)\.md$/.exec(file)?.[1];
    const candidates = [
      file.replace(/\.md$/, '.comments.json'),
      `data/comments/${page === undefined ? name : `pages/${page}`}.json`,
      `_data/comments/${page === undefined ? name.replace(/^\d{4}-\d{2}-\d{2}-/, '') : `pages/${page}`}.json`,
    ];
    for (const candidate of candidates) {
      const exportedComments = await this.json(candidate, comments);
      if (exportedComments) return exportedComments;
    }
    return [];
  }

  /** Null for a missing file, and for one with other content. */
  private async json<Schema extends z.ZodType>(
    file: string,
    schema: Schema,
  ): Promise<z.output<Schema> | null> {
    if (!this.files.has(file)) return null;
    try {
      const parsed = schema.safeParse(JSON.parse(await readText(path.join(this.root, file))));
      if (!parsed.success) return null;
      this.read.add(file);
      return parsed.data;
    } catch {
      return null;
    }
  }
}
