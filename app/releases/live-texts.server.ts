import type { Transaction } from '#app/platform/database/client.server.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { postPath, termPath } from '#app/posts/paths.ts';
import { termTable } from '#app/posts/terms/find.server.ts';
import { definitionOf } from '#app/settings/catalogue.ts';
import type { TextSnapshot } from './items.ts';
import { isSettingKey } from './release.ts';

/** The kinds of things besides posts that a release can change. Each is described by a few texts. */
export const textKinds = ['setting', 'category', 'tag', 'author', 'redirect'] as const;
export type TextKind = (typeof textKinds)[number];

/** The labels of the texts on screens. */
export const textLabels: Record<string, string> = {
  value: 'Value',
  name: 'Name',
  slug: 'Slug',
  description: 'Description',
  displayName: 'Name',
  bio: 'About',
  picture: 'Picture',
  links: 'Links',
  to: 'Redirects to',
};

export type TextReader = Pick<
  Transaction,
  'setting' | 'category' | 'tag' | 'user' | 'redirect' | 'post' | 'trashItem'
>;

/** The kinds of targets of a redirect. Its text is `post <id>`, `category <id>` or `tag <id>`. */
export type RedirectTarget = { kind: 'post' | 'category' | 'tag'; id: string };

/** Parses the text of a redirect's target; null when it is blank or malformed. */
export function readTarget(to: string | null | undefined): RedirectTarget | null {
  const [, kind, id] = /^(post|category|tag) (\S{1,64})$/.exec(to ?? '') ?? [];
  return kind ? { kind: kind as RedirectTarget['kind'], id: id! } : null;
}

/** The current texts; null: there is no such category, tag or account. */
export async function readLiveTexts(
  db: TextReader,
  kind: TextKind,
  subjectId: string,
): Promise<TextSnapshot | null> {
  switch (kind) {
    case 'setting': {
      const row = await db.setting.findUnique({ where: { key: subjectId } });
      return { value: row?.value ?? null };
    }
    case 'author': {
      const where = { id: subjectId };
      return db.user.findUnique({
        where,
        select: { displayName: true, bio: true, picture: true, links: true },
      });
    }
    case 'redirect': {
      const row = await db.redirect.findUnique({ where: { path: subjectId } });
      if (!row) return { to: null };
      const { postId, categoryId, tagId } = row;
      return { to: postId ? `post ${postId}` : categoryId ? `category ${categoryId}` : `tag ${tagId}` };
    }
    default: {
      const where = { id: subjectId };
      const select = { name: true, slug: true, description: true, picture: true } as const;
      return termTable(db, kind).findUnique({ where, select });
    }
  }
}

/** The display name of a changed thing: a setting's label, a name, an address. Null: the thing no longer exists. */
export async function titleOfTexts(
  db: TextReader,
  kind: TextKind,
  subjectId: string,
): Promise<string | null> {
  if (kind === 'redirect') return subjectId;
  if (kind === 'setting') return isSettingKey(subjectId) ? definitionOf(subjectId).label : subjectId;
  const live = await readLiveTexts(db, kind, subjectId);
  return live && ((kind === 'author' ? live.displayName : live.name) ?? null);
}

/** The current path of a redirect's target; null: the target no longer exists. */
export async function addressOfTarget(db: TextReader, to: string | null): Promise<string | null> {
  const target = readTarget(to);
  if (!target) return null;
  const where = { id: target.id };
  if (target.kind === 'post') {
    const post = await db.post.findUnique({ where, select: { slug: true, status: true } });
    return post && post.status !== TRASHED ? postPath(post.slug) : null;
  }
  const term = await termTable(db, target.kind).findUnique({ where, select: { slug: true } });
  return term && termPath[target.kind](term.slug);
}

/** The post or term whose current address this is; old addresses do not count. */
export async function holderOf(
  db: TextReader,
  path: string,
): Promise<{ target: RedirectTarget; title: string } | null> {
  const [, list, slug] = /^\/(posts|categories|tags)\/([^/]+)$/.exec(path) ?? [];
  if (list === 'categories' || list === 'tags') {
    const kind = list === 'tags' ? 'tag' : 'category';
    const term = await termTable(db, kind).findUnique({ where: { slug } });
    return term && { target: { kind, id: term.id }, title: term.name };
  }
  const post = await db.post.findUnique({
    where: { slug: list ? slug : path },
    select: { id: true, title: true, status: true },
  });
  return post && post.status !== TRASHED
    ? { target: { kind: 'post', id: post.id }, title: post.title }
    : null;
}
