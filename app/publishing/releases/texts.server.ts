import { AppError, fieldError } from '#app/platform/errors.ts';
import { canRedirect } from '#app/platform/http/public-addresses.ts';
import { say, messageOfIssue } from '#app/platform/message.ts';
import { checkSiteAddresses } from '#app/posts/addresses/check-site-addresses.server.ts';
import { decodePath } from '#app/posts/paths.ts';
import {
  changeHidden,
  type HiddenChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import { requireFreeTermSlug } from '#app/publishing/terms/save.server.ts';
import { nameOfChange, readTexts, type TextSnapshot } from '#app/releases/items.ts';
import {
  holderOf,
  readLiveTexts,
  type RedirectTarget,
  type TextKind,
} from '#app/releases/live-texts.server.ts';
import { isReleasable } from '#app/releases/release.ts';
import { storageKeyOf, definitionOf, type SettingKey } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { lockRelease, type NewItem } from './edit.server.ts';
import { writeItems } from './items.server.ts';

/** The texts of one setting, term or author that a form wants. */
export interface WantedTexts {
  kind: TextKind;
  subjectId: string;
  texts: TextSnapshot;
}

/**
 * Stores the changes that a form makes to settings, a category, a tag or an author as changes in a release. Values that
 * equal the live ones are not stored.
 * @param input.replaces true: the form showed the release's values, so a value that equals the live one is removed from
 *   the release
 * @param input.seen names of the release changes that the form's page showed (`nameOfChange`); absent for a script
 * @throws AppError `not_found` for the release; `conflict` once the release is published, when a change that the page
 *   did not show would be lost, or when the release is a rollback of the same subject; `invalid_input` beside a field
 */
export async function keepTextsInRelease(
  app: PublishingContext,
  input: {
    releaseId: string;
    editorId: string | null;
    wanted: WantedTexts[];
    replaces: boolean;
    seen?: readonly string[];
  },
): Promise<void> {
  await changeHidden(app, async (change) => {
    await lockRelease(change, input.releaseId);
    await requireUsable(change, input.wanted);
    const { releaseId, replaces, seen } = input;
    const items: NewItem[] = [];
    for (const { kind, subjectId, texts } of input.wanted) {
      const live = await readLiveTexts(change.tx, kind, subjectId);
      const changed = Object.entries(texts).filter(([name, value]) => value !== (live?.[name] ?? null));
      const where = { releaseId_kind_subjectId: { releaseId, kind, subjectId } };
      const item = await change.tx.releaseItem.findUnique({ where });
      // The release is a rollback that takes this subject back to an earlier state. A form cannot change that.
      if (item && item.action !== 'update') {
        if (changed.length > 0) throw goesBack();
        continue;
      }
      const stored: TextSnapshot = (item && readTexts(item.fields)) || {};
      const kept = Object.entries(stored).filter(([name]) => !replaces || !(name in texts));
      const fields: TextSnapshot = Object.fromEntries([...kept, ...changed]);
      const isUnseen = item && seen && !seen.includes(nameOfChange(item));
      if (isUnseen && Object.entries(stored).some(([name, value]) => fields[name] !== value))
        throw changedMeanwhile();
      if (changed.length > 0 || (replaces && kept.length > 0))
        items.push({ kind, subjectId, action: 'update', fields: JSON.stringify(fields) });
      else if (replaces) await change.tx.releaseItem.deleteMany({ where: { releaseId, kind, subjectId } });
    }
    await writeItems(app, change, input, items);
  });
}

function changedMeanwhile(): AppError {
  return releaseConflict(
    'Someone else changed this in the release after you opened it. “Edit that change” below shows it; save again to replace it.',
  );
}

function goesBack(): AppError {
  return releaseConflict(
    'The release restores an earlier state of this post, so it can’t change it. Choose another release.',
  );
}

function releaseConflict(message: string): AppError {
  return new AppError('conflict', message, { fields: { releaseId: [message] } });
}

async function requireUsable({ tx }: HiddenChange, wanted: WantedTexts[]): Promise<void> {
  const settings = wanted.filter(({ kind }) => kind === 'setting');
  await checkSiteAddresses(
    tx,
    await readSettings({ db: tx }),
    Object.fromEntries(settings.map(({ subjectId, texts }) => [subjectId, texts.value ?? ''])),
  );
  for (const { kind, subjectId, texts } of wanted)
    // The address is taken only when the release is published.
    if ((kind === 'category' || kind === 'tag') && texts.slug)
      await requireFreeTermSlug(tx, kind, subjectId, texts.slug);
}

/**
 * The settings of a form as a release stores them.
 * @throws AppError `invalid_input` beside each setting that is wrong, or that a release cannot change
 */
export function wantedSettings(texts: Partial<Record<SettingKey, string>>): WantedTexts[] {
  return Object.entries(texts).map(([name, text]) => {
    const key = name as SettingKey;
    const subjectId = storageKeyOf(key);
    if (!isReleasable(subjectId)) throw notReleasable(key);
    const parsed = definitionOf(key).schema.safeParse(text);
    if (!parsed.success) throw fieldError(key, messageOfIssue(parsed.error.issues[0]!));
    return { kind: 'setting', subjectId, texts: { value: text.replace(/\r\n?/g, '\n').trim() } };
  });
}

/** The error for a form that saves something to a release which only takes effect at once. */
export function notReleasable(field: string): AppError {
  return fieldError(field, 'No release can change this.');
}

/**
 * The change that a form makes to a redirect in a release: a new one, or, with a blank `to`, the end of one.
 * @param input.from a path that is not the address of anything
 * @throws AppError `invalid_input` on `redirectFrom` or `redirectTo`, also for an address from which no redirect works,
 *   and for the end of one that does not exist
 */
export async function wantedRedirect(
  app: PublishingContext,
  input: { releaseId: string; from: string; to: string },
): Promise<WantedTexts> {
  const { db } = app;
  const from = storedPath(app, input.from, 'redirectFrom');
  const holder = await holderOf(db, from);
  if (holder)
    throw fieldError(
      'redirectFrom',
      say('The address is used by “{title}”. Only an unused address can redirect elsewhere.', {
        title: holder.title,
      }),
    );
  let target: RedirectTarget | null = null;
  if (input.to.trim() === '') await requireRedirect(app, input.releaseId, from);
  else {
    const { admin_path: adminPath } = await readSettings(app);
    if (!canRedirect(from, adminPath))
      throw fieldError(
        'redirectFrom',
        'This address belongs to Dateline, so it can’t redirect. Choose another.',
      );
    target = (await holderOf(db, storedPath(app, input.to, 'redirectTo')))?.target ?? null;
    if (!target)
      throw fieldError(
        'redirectTo',
        'There is no post, page, category or tag at this address. Choose another.',
      );
  }
  return { kind: 'redirect', subjectId: from, texts: { to: target && `${target.kind} ${target.id}` } };
}

/** A redirect ends if readers have it, or if the release adds it. */
async function requireRedirect(
  { db }: Pick<PublishingContext, 'db'>,
  releaseId: string,
  from: string,
): Promise<void> {
  const where = { releaseId_kind_subjectId: { releaseId, kind: 'redirect', subjectId: from } };
  if ((await readLiveTexts(db, 'redirect', from))?.to || (await db.releaseItem.findUnique({ where }))) return;
  throw fieldError('redirectFrom', 'This address has no redirect. Enter its target.');
}

/** A path of this site in the form that redirects store. */
function storedPath({ env }: Pick<PublishingContext, 'env'>, typed: string, field: string): string {
  const refuse = () => fieldError(field, 'Address must be a path of this site, such as /posts/old-name.');
  const base = new URL(env.siteUrl);
  if (!URL.canParse(typed.trim(), base)) throw refuse();
  const url = new URL(typed.trim(), base);
  if (url.origin !== base.origin || url.search !== '' || url.pathname === '/') throw refuse();
  const path = decodePath(url.pathname)?.replace(/\/+$/, '');
  if (!path || path.length > 300) throw refuse();
  return path;
}
