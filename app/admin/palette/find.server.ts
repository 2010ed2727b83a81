import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { Suggestion } from '#app/admin/frame/find.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { wordsFor } from '#app/admin/languages/words-for.server.ts';
import { findPosts as findMatchingPosts, listMatchingPosts } from '#app/admin/posts/queries.server.ts';
import { publicPath, findVisibleTarget } from '#app/admin/site-view/edit-address.server.ts';
import type { MediaKind } from '#app/media/encode/formats.ts';
import { listMedia } from '#app/media/library/queries.server.ts';
import { postsVisibleTo } from '#app/people/roles.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { readEmbeds } from '#app/publishing/post-row/body.server.ts';
import { definitionOf, settingKeys } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';

const FOUND_MAX = 12;
const PICTURES_MAX = 24;

const querySchema = z.object({
  q: z.string().trim().max(500).catch(''),
  kind: z.enum(['jump', 'link', 'picture', 'image', 'at', 'embed']).catch('jump'),
});

/** The suggestions of the editor's menus and of the command palette: `{found}`. Contains only what the user may open. */
export async function load(args: ScreenArguments): Promise<Response> {
  const { q, kind } = querySchema.parse(Object.fromEntries(new URL(args.request.url).searchParams));
  if (kind === 'at') return Response.json({ found: await findAt(args, q) });
  if (kind === 'embed') return Response.json({ found: await findEmbed(args, q) });
  if (kind === 'picture') return Response.json({ found: await findMedia(args, q) });
  if (kind === 'image') return Response.json({ found: await findMedia(args, q, 'image') });
  const posts = await findPosts(args, q, kind);
  return Response.json({ found: kind === 'jump' ? [...findScreens(args, q), ...posts] : posts });
}

/** The target of a public address, if the user may see it. */
async function findAt(args: ScreenArguments, address: string): Promise<Suggestion[]> {
  const { app, adminContext } = args;
  const { target, editor } = await findVisibleTarget(
    args,
    publicPath(address, app.env.siteUrl, adminContext.adminPath),
  );
  if (!target) return [];
  const detail = target.kind === 'post' ? target.status : target.kind;
  return [{ kind: 'post', title: target.title, address: editor ?? '', detail }];
}

/** What readers see for an address that is alone on a line of a text. */
async function findEmbed({ app }: ScreenArguments, address: string): Promise<Suggestion[]> {
  const embeds = await readEmbeds(app, address, await readSettings(app));
  const details = embeds?.get(address);
  if (!details) return [];
  const { title, text, author, picture, provider } = details;
  return [{ kind: 'embed', title: title || text || author, address: picture?.src ?? '', detail: provider }];
}

async function findPosts(
  { app, user, adminContext }: ScreenArguments,
  q: string,
  kind: 'jump' | 'link',
): Promise<Suggestion[]> {
  const visible = postsVisibleTo(user);
  const matches = q === '' ? null : await findMatchingPosts(app, q, visible);
  const { posts } = await listMatchingPosts(app, {}, visible, matches?.ids);
  // A post with exactly this title comes before posts that the search engine finds similar.
  const words = q.toLowerCase().split(/\s+/);
  const isNamed = ({ title }: { title: string }) =>
    Number(words.every((word) => title.toLowerCase().includes(word)));
  const sorted = posts.toSorted((a, b) => isNamed(b) - isNamed(a));
  return sorted.slice(0, FOUND_MAX).map(({ id, slug, title, status }) => ({
    kind: 'post',
    title,
    address: kind === 'link' ? encodePath(postPath(slug)) : adminUrl(adminContext.adminPath, 'posts', id),
    detail: status,
  }));
}

async function findMedia({ app }: ScreenArguments, q: string, kind?: MediaKind): Promise<Suggestion[]> {
  const { media } = await listMedia(app, { text: q, kind }, { pageSize: PICTURES_MAX });
  return media.map(({ path, alt, originalName }) => ({
    kind: 'picture',
    title: alt,
    address: encodePath(`/uploads/${path}`),
    detail: originalName,
  }));
}

/** Screens, actions and settings whose names contain every word of the query. */
function findScreens({ adminContext }: ScreenArguments, q: string): Suggestion[] {
  const t = wordsFor(adminContext);
  const { adminPath, screens, menu } = adminContext;
  const screenEntries = menu
    .flat()
    .map(({ title, segments }) => screenFound(title, adminUrl(adminPath, ...segments), 'Screen'));
  const actions: Suggestion[] = [
    { kind: 'action', title: 'New post', address: adminUrl(adminPath, 'posts', 'new'), detail: 'Action' },
    { kind: 'action', title: 'View site', address: adminUrl(adminPath, 'site'), detail: 'Action' },
    { kind: 'action', title: 'Log out', address: adminUrl(adminPath, 'logout'), detail: 'Action' },
  ];
  const settings = screens.includes('settings')
    ? settingKeys.flatMap((key) => {
        const { label, group } = definitionOf(key);
        // The draft has no field: it is what the appearance's fields say.
        if (group === 'internal' || key === 'appearance_draft') return [];
        const form =
          group === 'appearance' ? adminUrl(adminPath, group) : adminUrl(adminPath, 'settings', group);
        return [screenFound(label, `${form}#field-${key}`, 'Setting')];
      })
    : [];
  const words = q.toLowerCase().split(/\s+/);
  const matches = ({ title }: Suggestion) => {
    const names = `${title} ${t(title)}`.toLowerCase();
    return words.every((word) => names.includes(word));
  };
  // There are many settings, so they are shown only for a query.
  const matching = [...actions, ...screenEntries, ...(q === '' ? [] : settings)].filter(matches);
  return matching.map((suggestion) => ({ ...suggestion, title: t(suggestion.title) }));
}

function screenFound(title: string, address: string, detail: string): Suggestion {
  return { kind: 'screen', title, address, detail };
}
