import * as z from 'zod';
import type { ClaimedEffect } from '#app/effects/claim.server.ts';
import type { EffectApp } from '#app/effects/effect-app.ts';
import { parseJson } from '#app/platform/json.ts';
import { summaryColumns, toSummary } from '#app/posts/lists/public-post.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { categoryPath, encodePath, isHome, ownSlug, postPath, tagPath } from '#app/posts/paths.ts';
import { readSettings } from '#app/settings/queries.server.ts';

const effectDetails = z.object({ path: z.string().optional(), keys: z.array(z.string()).optional() });

/** What a message says about its subject; null: that is no longer public or no longer true, so nothing is sent. */
type MessageData = Record<string, unknown> | null;

/** The body of an effect's message, as things are now. Null: nothing is sent. */
export async function messageOf(app: EffectApp, effect: ClaimedEffect): Promise<string | null> {
  const data = await dataOf(app, effect);
  if (data === null) return null;
  return JSON.stringify({ type: effect.event, timestamp: effect.createdAt.toISOString(), data });
}

async function dataOf(app: EffectApp, effect: ClaimedEffect): Promise<MessageData> {
  const [kind = '', id = ''] = effect.subject.split(':');
  switch (kind) {
    case 'post':
      return effect.event.endsWith('.unpublished') ? unpublished(app, effect, id) : post(app, effect, id);
    case 'release':
      return release(app, id);
    case 'category':
    case 'tag':
      return term(app, kind, id);
    case 'settings':
      return { keys: detailsOf(effect).keys ?? [] };
    default:
      return { webhook: effect.receiver };
  }
}

async function post({ db, env }: EffectApp, effect: ClaimedEffect, id: string): Promise<MessageData> {
  const row = await db.post.findFirst({
    where: { id, ...isPublic },
    select: {
      ...summaryColumns,
      bodyHtml: true,
      type: true,
      language: true,
      contentUpdatedAt: true,
      version: true,
      tags: { select: { tag: { select: { name: true } } }, orderBy: { position: 'asc' } },
    },
  });
  if (!row) return null;
  const settings = await readSettings({ db });
  const { title, excerpt, publishedAt, authors, category } = toSummary(row, row.bodyHtml);
  const path = encodePath(isHome(row, settings.home_page) ? '/' : postPath(row.slug));
  return {
    id,
    sequence: effect.sequence,
    type: row.type,
    url: env.siteUrl + path,
    path,
    slug: ownSlug(row.slug),
    title,
    excerpt,
    language: row.language || settings.site_language,
    authors: authors.map(({ displayName }) => displayName),
    category: category?.name ?? null,
    tags: row.tags.map(({ tag }) => tag.name),
    publishedAt: publishedAt.toISOString(),
    updatedAt: row.contentUpdatedAt.toISOString(),
    version: row.version,
  };
}

/** Names what is gone and says nothing else of it: since then somebody may have written what nobody outside may read. */
async function unpublished({ db, env }: EffectApp, effect: ClaimedEffect, id: string): Promise<MessageData> {
  const row = await db.post.findUnique({ where: { id }, select: { status: true, version: true } });
  if (row?.status === 'published') return null;
  const { path = '/' } = detailsOf(effect);
  return {
    id,
    sequence: effect.sequence,
    type: effect.event.split('.')[0],
    url: env.siteUrl + path,
    path,
    slug: decodeURIComponent(ownSlug(path)),
    title: '',
    excerpt: '',
    language: '',
    authors: [],
    category: null,
    tags: [],
    publishedAt: null,
    updatedAt: effect.createdAt.toISOString(),
    version: row?.version ?? null,
  };
}

async function release({ db }: EffectApp, id: string): Promise<MessageData> {
  const row = await db.release.findUnique({
    where: { id },
    select: {
      name: true,
      publishedAt: true,
      items: { where: { kind: 'post' }, select: { subjectId: true }, orderBy: { subjectId: 'asc' } },
    },
  });
  if (!row?.publishedAt) return null;
  return {
    id,
    name: row.name,
    publishedAt: row.publishedAt.toISOString(),
    posts: row.items.map(({ subjectId }) => subjectId),
  };
}

async function term({ db, env }: EffectApp, kind: 'category' | 'tag', id: string): Promise<MessageData> {
  const select = { slug: true, name: true } as const;
  const row =
    kind === 'category'
      ? await db.category.findUnique({ where: { id }, select })
      : await db.tag.findUnique({ where: { id }, select });
  if (!row) return { id, kind, slug: null, name: null, url: null };
  const path = encodePath(kind === 'category' ? categoryPath(row.slug) : tagPath(row.slug));
  return { id, kind, ...row, url: env.siteUrl + path };
}

function detailsOf(effect: ClaimedEffect): z.output<typeof effectDetails> {
  return effectDetails.safeParse(parseJson(effect.details)).data ?? {};
}
