import { oldAddress } from '#app/import/addresses/old-address.ts';
import type { SiteParts, SourceMenu, SourceMenuEntry } from '#app/import/model/post.ts';
import { isAppError } from '#app/platform/errors.ts';
import { hostOf } from '#app/platform/http/paths.ts';
import { inEnglish } from '#app/platform/message.ts';
import type { Db } from '#app/platform/services.ts';
import { encodePath, postPath, termPath } from '#app/posts/paths.ts';
import { termTable } from '#app/posts/terms/find.server.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { isLinkTarget } from '#app/settings/parse.ts';
import { readSettings } from '#app/settings/queries.server.ts';

/** A menu entry as the settings hold it. */
interface Line {
  label: string;
  href: string;
}

/**
 * Imports the header's menu, the footer's menu and the pinned post (of several sticky posts the newest), unless this
 * site has chosen its own.
 * @returns what was left out, in words
 */
export async function importSiteParts(
  app: PublishingContext,
  source: string,
  { menus, pinned, siteUrl }: SiteParts,
  { dryRun }: { dryRun: boolean },
): Promise<string[]> {
  const notes: string[] = [];
  const places = { app, source, siteUrl, notes, dryRun };
  const stored = await app.db.setting.findMany({
    where: { key: { in: ['navigation', 'footer', 'pinned_post'] } },
  });
  const settings = await readSettings(app);
  const newSettings: { header?: string; footer?: string; pinned_post?: string } = {};
  const footer = menus.find(({ name }) => /foot|bottom|legal|fuß/i.test(name));
  const rest = menus.filter((menu) => menu !== footer && !/social/i.test(menu.name));
  const header =
    rest.find(({ name }) => /main|primary|head|top|haupt|navigation/i.test(name)) ??
    [...rest].sort((a, b) => b.entries.length - a.entries.length)[0];
  const isOwn = {
    header: settings.navigation.length > 0 && !isDefault(stored, 'navigation'),
    footer: settings.footer.length > 0,
  };
  for (const [place, menu] of [
    ['header', header],
    ['footer', footer],
  ] as const) {
    if (!menu) continue;
    const text = await textOf(menu, places);
    const now = stored.find(({ key }) => key === (place === 'header' ? 'navigation' : 'footer'))?.value ?? '';
    if (text === '' || now === text) continue;
    if (isOwn[place])
      notes.push(`The menu “${menu.name}” was left out: the ${place} here has entries of your own.`);
    else newSettings[place] = text;
  }
  for (const { name } of menus.filter((menu) => menu !== header && menu !== footer))
    notes.push(`The menu “${name}” was left out: the site has one in its header and one in its footer.`);
  const [first, ...others] = pinned;
  if (first !== undefined) {
    const post = await postOfItem(places, first);
    const slug = post ? postPath(post.slug).replace(/^\/posts\//, '') : '';
    if (slug !== '' && settings.pinned_post === '') newSettings.pinned_post = slug;
    else if (slug !== '' && settings.pinned_post !== slug)
      notes.push(`${first}: It was sticky, but another post is pinned here.`);
  }
  for (const key of others) notes.push(`${key}: It was sticky: only one post can be pinned here.`);
  if (dryRun) return notes;
  for (const [name, text] of Object.entries(newSettings)) {
    try {
      await changeSettings(app, { [name]: text });
    } catch (error) {
      // The posts are imported already: a menu that is too long must not end the command with an error.
      if (!isAppError(error)) throw error;
      const reasons = Object.values(error.fields).flat().map(inEnglish).join(' ');
      notes.push(`The ${name} was left out: ${reasons || error.message}`);
    }
  }
  return notes;
}

function isDefault(stored: { key: string; value: string }[], key: string): boolean {
  const value = stored.find((row) => row.key === key)?.value.trim();
  return value === undefined || value === 'Archive | /archive';
}

interface Places {
  app: Db;
  source: string;
  siteUrl: string;
  notes: string[];
  /** Assumes that missing targets are imported later. */
  dryRun: boolean;
}

/** A menu in the setting's format: `label | address`, with two spaces before entries of a submenu. */
async function textOf({ name, entries }: SourceMenu, places: Places): Promise<string> {
  const lines: string[] = [];
  const leftOut = (entry: SourceMenuEntry) =>
    places.notes.push(
      `The entry “${entry.label || 'without a label'}” of the menu “${name}” leads to nothing here and was left out.`,
    );
  for (const entry of entries) {
    const line = await lineOf(entry, places);
    const below: Line[] = [];
    for (const child of entry.children) {
      const childLine = await lineOf(child, places);
      if (childLine) below.push(childLine);
      else leftOut(child);
    }
    // An entry that only opens its submenu gets the address of the first entry there.
    const top = line ?? (below[0] && entry.label !== '' ? { label: entry.label, href: below[0].href } : null);
    if (!top) leftOut(entry);
    else lines.push(written(top));
    lines.push(...below.map((one) => (top ? `  ${written(one)}` : written(one))));
  }
  return lines.join('\n');
}

function written({ label, href }: Line): string {
  return `${label.replace(/\s+/g, ' ').trim().slice(0, 200)} | ${href}`;
}

async function lineOf({ label, target }: SourceMenuEntry, places: Places): Promise<Line | null> {
  if ('key' in target) {
    const post = await postOfItem(places, target.key);
    if (post) return { label: label || post.title, href: encodePath(postPath(post.slug)) };
    if (places.dryRun) return { label: label || 'Post', href: '/' };
    return label === '' || !target.address
      ? null
      : lineOf({ label, target: { address: target.address }, children: [] }, places);
  }
  if ('term' in target) {
    const term = await termTable(places.app.db, target.term).findUnique({ where: { slug: target.slug } });
    if (places.dryRun && !term) return { label: label || target.slug, href: '/' };
    return term && { label: label || term.name, href: encodePath(termPath[target.term](term.slug)) };
  }
  const href = addressHere(target.address, places.siteUrl);
  return label === '' || href === null || !isLinkTarget(href) ? null : { label, href };
}

/**
 * The address in a menu of this site. An old site's own address becomes a path, which redirects to its post; any other
 * stays, with HTTPS. Null for other schemes.
 */
function addressHere(address: string, siteUrl: string): string | null {
  if (/^\/(?!\/)/.test(address)) return address;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const host = (url: string) => (URL.canParse(url) ? hostOf(new URL(url)) : '');
  if (host(address) !== host(siteUrl)) return address.replace(/^http:\/\//i, 'https://');
  return encodePath(oldAddress(address) ?? '/');
}

async function postOfItem({ app, source }: Places, itemKey: string) {
  const item = await app.db.importItem.findFirst({ where: { source, itemKey } });
  return item && app.db.post.findUnique({ where: { id: item.postId }, select: { slug: true, title: true } });
}
