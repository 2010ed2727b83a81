// Random changes of every kind that readers can see. Another process than the servers makes them.
import fc from 'fast-check';
import { importFrom } from '#app/import/run/import.server.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import type { StateIntent } from '#app/posts/fields/states.ts';
import { deleteUser, saveProfile } from '#app/publishing/accounts/change.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { restorePost, trashPost } from '#app/publishing/posts/trash.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { mergeTags } from '#app/publishing/terms/merge-tags.server.ts';
import { saveTerm } from '#app/publishing/terms/save.server.ts';
import { restoreTerm, trashTerm } from '#app/publishing/terms/trash.server.ts';
import { deletePost } from '#app/publishing/trash/purge.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import type { TestApp } from './app.ts';
import { folderWith } from './content-folders.ts';
import { createUser } from './factories.ts';

const MINUTE = 60_000;

/** What a change is and what it picks; the same numbers on the same content do the same. */
export interface DrawnChange {
  kind: keyof typeof kinds;
  pick: number;
  other: number;
  /** A number in every new text, so that each change can be seen. */
  mark: number;
}

const number = fc.nat({ max: 1_000 });

const kinds = {
  edit: 12,
  move: 6,
  create: 4,
  delete: 2,
  schedule: 3,
  update: 2,
  import: 1,
  term: 2,
  endTerm: 2,
  setting: 2,
  page: 6,
  language: 3,
  place: 3,
  author: 1,
  endAuthor: 1,
};

export const arbitraryChange: fc.Arbitrary<DrawnChange> = fc.record({
  kind: fc.oneof(
    ...Object.entries(kinds).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as keyof typeof kinds),
    })),
  ),
  pick: number,
  other: number,
  mark: number,
});

/** Makes the change. @returns false if the product's rules refuse it */
export async function makeChange(app: TestApp, change: DrawnChange): Promise<boolean> {
  try {
    await makers[change.kind](app, change);
    return true;
  } catch (error) {
    if (isAppError(error)) return false;
    throw error;
  }
}

const nobody = { editorId: null };
const tagNames = ['Sea', 'Tide', 'Harbour', 'Fish'];
const tagsOf = (pick: number) => tagNames.filter((_, index) => (pick >> index) % 2 === 1);

async function postOf(app: TestApp, pick: number, status?: string) {
  const posts = await app.db.post.findMany({ where: { status }, orderBy: { id: 'asc' } });
  return posts[pick % Math.max(1, posts.length)];
}

async function termOf(app: TestApp, kind: 'category' | 'tag', pick: number) {
  const order = { orderBy: { id: 'asc' } } as const;
  const terms = await (kind === 'tag' ? app.db.tag.findMany(order) : app.db.category.findMany(order));
  return terms[pick % Math.max(1, terms.length)];
}

const makers: Record<DrawnChange['kind'], (app: TestApp, change: DrawnChange) => Promise<unknown>> = {
  /** One field of a post changes. */
  async edit(app, { pick, other, mark }) {
    const post = await postOf(app, pick);
    if (!post) return;
    const category = await termOf(app, 'category', other);
    const past = new Date(app.clock.now().getTime() - (1 + (other % 9)) * MINUTE);
    const fields: Partial<PostFields>[] = [
      { title: `Title ${mark}` },
      { body: `Body ${mark}.\n\nMore.` },
      { excerpt: other % 2 === 0 ? '' : `Excerpt ${mark}` },
      { slug: `slug-${mark}` },
      { tags: tagsOf(other) },
      { categoryId: other % 3 === 0 ? null : (category?.id ?? null) },
      { publishedAt: past },
      { seoDescription: `Description ${mark}` },
    ];
    await editPost(app, {
      postId: post.id,
      intent: 'save',
      fields: fields[other % fields.length]!,
      ...nobody,
    });
  },
  /** A post changes its state. */
  async move(app, { pick, other }) {
    const post = await postOf(app, pick);
    const intents: StateIntent[] = ['publish', 'draft', 'archive', 'publish'];
    if (post) await editPost(app, { postId: post.id, intent: intents[other % 4]!, fields: {}, ...nobody });
  },
  async create(app, { pick, other, mark }) {
    const [author, category] = [await app.db.user.findFirst(), await termOf(app, 'category', other)];
    const publishedAt = new Date(app.clock.now().getTime() - (pick % 10) * MINUTE);
    const tags = tagsOf(other);
    const fields = {
      title: `New ${mark}`,
      body: `New ${mark}.`,
      tags,
      categoryId: category?.id,
      publishedAt,
    };
    await createPost(app, { intent: 'publish', fields, editorId: author?.id ?? null });
  },
  /** A post is trashed and perhaps restored, or permanently deleted. */
  async delete(app, { pick, other }) {
    const post = await postOf(app, pick);
    if (!post) return;
    if (other % 3 === 0) return deletePost(app, { postId: post.id });
    if (post.status !== 'trashed') await trashPost(app, { postId: post.id });
    if (other % 3 === 1) await restorePost(app, { postId: post.id, as: 'published', ...nobody });
  },
  /** The trigger publishes a post, and archives another. */
  async schedule(app, { pick, other, mark }) {
    const soon = new Date(app.clock.now().getTime() + MINUTE);
    const fields = { title: `Due ${mark}`, tags: tagsOf(other), publishedAt: soon };
    await createPost(app, { intent: 'schedule', fields, ...nobody });
    const leaving = await postOf(app, pick, 'published');
    if (leaving && other % 2 === 0)
      await editPost(app, { postId: leaving.id, intent: 'save', fields: { archiveAt: soon }, ...nobody });
    app.clock.advance(2 * MINUTE);
    await publishDue(app, 'command');
  },
  /** The trigger applies a scheduled update. */
  async update(app, { pick, mark }) {
    const post = await postOf(app, pick, 'published');
    if (!post) return;
    const changeAt = new Date(app.clock.now().getTime() + MINUTE);
    const fields = { title: `Updated ${mark}`, body: `Updated ${mark}.` };
    await scheduleUpdate(app, { postId: post.id, version: post.version, fields, changeAt, ...nobody });
    app.clock.advance(2 * MINUTE);
    await publishDue(app, 'command');
  },
  async import(app, { mark, other }) {
    const post = (name: string) =>
      `---\ntitle: ${name} ${mark}\ndate: 2026-01-0${1 + (other % 9)}\ntags: [Sea]\ncategory: Import\n---\n\n${name} ${mark}.\n`;
    const input = await folderWith({ 'one.md': post('One'), 'two.md': post('Two') });
    await importFrom(app, { from: 'markdown', input, dryRun: false });
  },
  async term(app, { pick, other, mark }) {
    const kind = other % 2 === 0 ? 'tag' : 'category';
    const term = await termOf(app, kind, pick);
    if (!term) return;
    const { name, slug, description } = term;
    const fields = [{ name: `Term ${mark}` }, { slug: `term-${mark}` }, { description: `All of ${mark}.` }];
    await saveTerm(app, kind, term.id, { name, slug, description, ...fields[mark % 3] });
  },
  async endTerm(app, { pick, other }) {
    const [tag, into] = [await termOf(app, 'tag', pick), await termOf(app, 'tag', other)];
    const category = await termOf(app, 'category', pick);
    const [gone] = await app.db.trashItem.findMany({ where: { kind: { not: 'post' } } });
    if (other % 4 === 0 && tag) await trashTerm(app, byCommand, { kind: 'tag', id: tag.id });
    else if (other % 4 === 1 && gone)
      await restoreTerm(app, byCommand, { kind: gone.kind as 'tag' | 'category', id: gone.id });
    else if (other % 4 === 2 && tag && into) await mergeTags(app, byCommand, { id: tag.id, intoId: into.id });
    else if (category) await trashTerm(app, byCommand, { kind: 'category', id: category.id });
  },
  async setting(app, { pick, other, mark }) {
    const texts = [
      { site_title: `Site ${mark}` },
      { posts_per_page: String(2 + (other % 3)) },
      { navigation: `Entry ${mark} | /tags` },
      { feed_items: String(1 + (other % 5)) },
      { site_timezone: other % 2 === 0 ? 'UTC' : 'Asia/Tokyo' },
    ];
    await changeSettings(app, texts[pick % texts.length]!);
  },
  async author(app, { mark, other }) {
    const author = await app.db.user.findFirst({ orderBy: { id: 'asc' } });
    if (!author) return;
    const bio = other % 2 === 0 ? author.bio : `Biography ${mark}`;
    await saveProfile(app, byCommand, author.id, { displayName: `Author ${mark}`, bio });
  },
  /** A page is created, moved or changed. */
  async page(app, { pick, other, mark }) {
    const pages = await app.db.post.findMany({ where: { type: 'page' }, orderBy: { id: 'asc' } });
    const [page, above] = [pages[pick % Math.max(1, pages.length)], pages[other % Math.max(1, pages.length)]];
    const parentId = above && above.id !== page?.id ? above.id : null;
    const fields: Partial<PostFields>[] = [
      { slug: `page-${mark}` },
      { title: `Page ${mark}` },
      { parentId },
      { body: `Page body ${mark}.` },
    ];
    const intents: StateIntent[] = ['save', 'save', 'save', 'archive', 'publish'];
    if (!page || pages.length < 3 || other % 5 === 0) {
      const made = { type: 'page' as const, title: `Made ${mark}`, body: 'A page.', parentId };
      await createPost(app, { intent: 'publish', fields: made, ...nobody });
    } else
      await editPost(app, {
        postId: page.id,
        intent: intents[mark % intents.length]!,
        fields: fields[other % fields.length]!,
        ...nobody,
      });
  },
  /** A post is in another language, or the translation of another one. */
  async language(app, { pick, other }) {
    const [post, original] = [await postOf(app, pick, 'published'), await postOf(app, other, 'published')];
    if (!post || post.type === 'page') return;
    const translationOf = original && original.id !== post.id && other % 2 === 0 ? original.id : null;
    const fields = { language: other % 3 === 0 ? '' : 'de', translationOf };
    await editPost(app, { postId: post.id, intent: 'save', fields, ...nobody });
  },
  /** Addresses change: of the home page, the list of posts, the languages. */
  async place(app, { pick, other }) {
    const pages = await app.db.post.findMany({ where: { type: 'page' }, orderBy: { id: 'asc' } });
    const places = [
      { home_page: other % 2 === 0 ? '' : (pages[other % Math.max(1, pages.length)]?.id ?? '') },
      { posts_path: ['/', '/news', '/blog'][other % 3]! },
      { site_languages: other % 3 === 0 ? '' : 'de' },
    ];
    await changeSettings(app, places[pick % places.length]!);
  },
  /** An author is deleted, and another one gets the posts. */
  async endAuthor(app) {
    const successor = await createUser(app, { role: 'administrator' });
    const author = await app.db.user.findFirst({ orderBy: { id: 'asc' } });
    if (author && author.id !== successor.id)
      await deleteUser(app, byCommand, { userId: author.id, heirId: successor.id });
  },
};
