import { randomBytes } from 'node:crypto';
import { updatePlan } from '#app/effects/record.server.ts';
import { byCommand, writeAudit, type By } from '#app/people/audit/audit.server.ts';
import { AppError, fieldError, type FieldErrors } from '#app/platform/errors.ts';
import { outboundProblem, outboundRules } from '#app/platform/http/outbound.server.ts';
import { messageOfIssue, say, translated, type Message } from '#app/platform/message.ts';
import type { Configured } from '#app/platform/services.ts';
import { addressKeys, checkSiteAddresses } from '#app/posts/addresses/check-site-addresses.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { listOf } from '#app/posts/lists/scope.ts';
import {
  changePublicContent,
  type PublishingContext,
  type PublicChange,
} from '#app/publishing/change/public-change.server.ts';
import {
  definitionOf,
  secretSettingKeys,
  settingKeys,
  storageKeyOf,
  type SettingKey,
  postsPathOf,
} from '#app/settings/catalogue.ts';
import type { SettingsGroup } from '#app/settings/definition.ts';
import { readSettings, readSettingTexts } from '#app/settings/queries.server.ts';
import { encryptSecret } from '#app/settings/secrets.server.ts';

/**
 * Saves settings from their texts. Absent keys stay unchanged. A blank secret keeps its value, unless it would be sent
 * to another server than before. The audit log names the keys, never a value.
 * @throws AppError `invalid_input` with an error beside each wrong field; then nothing was written.
 */
export async function changeSettings(
  app: PublishingContext & Configured,
  texts: Partial<Record<SettingKey, unknown>>,
  by: By = byCommand,
): Promise<{ changedKeys: SettingKey[] }> {
  const keys = settingKeys.filter((key) => texts[key] !== undefined);
  const fields: FieldErrors = {};
  for (const key of keys) {
    const parsed = definitionOf(key).schema.safeParse(texts[key]);
    if (!parsed.success) fields[key] = parsed.error.issues.map(messageOfIssue);
  }
  for (const key of keys) {
    const problem = fields[key] ? null : await problemOfAddress(app, key, String(texts[key]).trim());
    if (problem !== null) fields[key] = [problem];
  }
  if (Object.keys(fields).length > 0)
    throw new AppError('invalid_input', 'There is a problem with some settings.', { fields });
  return changePublicContent(app, async (change) => {
    const { tx } = change;
    const changedKeys: SettingKey[] = [];
    if (addressKeys.some((key) => texts[key] !== undefined)) await change.lockAddresses();
    const before = await tx.setting.findMany({ where: { key: { in: settingKeys } } });
    const stored = new Map(before.map(({ key, value }) => [key, value]));
    const settings = await readSettings({ db: tx });
    await checkSiteAddresses(tx, settings, texts);
    for (const key of keys
      .map(storageKeyOf)
      .filter((setting, index, all) => all.indexOf(setting) === index)) {
      const { secret } = definitionOf(key);
      const submitted = submittedText(texts, key).replace(/\r\n?/g, '\n');
      if (secret && submitted === '') continue;
      const value = secret ? encryptSecret(submitted, app.env.authSecret) : submitted.trim();
      if (stored.get(key) === value) continue;
      await writeSetting(change, key, value);
      changedKeys.push(key);
    }
    for (const key of secretSettingKeys) {
      if (!stored.get(key) || changedKeys.includes(key)) continue;
      const moved = changedKeys.filter((changedKey) => definitionOf(key).sentTo?.includes(changedKey));
      if (moved.length === 0) continue;
      // Without a host or a user name the secret is never sent.
      if (moved.every((changedKey) => texts[changedKey] !== '')) throw enterAgain(key, moved);
      await writeSetting(change, key, null);
      changedKeys.push(key);
    }
    if (changedKeys.some((key) => languageKeys.has(key))) await moveToLanguageLists(change);
    await keepOldPostsPath(change, postsPathOf(settings));
    if (texts.indexnow === 'yes' && !stored.get('indexnow_key'))
      await writeSetting(change, 'indexnow_key', randomBytes(16).toString('hex'));
    const isPlanned = (key: SettingKey) =>
      key === 'newsletter_enabled' || definitionOf(key).group === 'delivery';
    if (changedKeys.some(isPlanned)) await updatePlan(tx, change.now);
    if (changedKeys.every((key) => definitionOf(key).hidden)) change.affects();
    if (changedKeys.length > 0)
      await writeAudit(tx, app.clock, { action: 'settings.changed', by, subject: changedKeys.join(', ') });
    return { changedKeys };
  });
}

/** Why the application may send nothing to a new address; null: it may, or the setting is no such address. */
async function problemOfAddress(
  app: PublishingContext & Configured,
  key: SettingKey,
  address: string,
): Promise<Message | null> {
  if (!definitionOf(key).isOutbound || address === '') return null;
  const { texts } = await readSettingTexts(app);
  return texts[key] === address ? null : outboundProblem(outboundRules(app.env.outboundAllow), address);
}

/** A setting may have two names; a form contains one of them. */
function submittedText(texts: Partial<Record<SettingKey, unknown>>, key: SettingKey): string {
  const names = settingKeys.filter((name) => storageKeyOf(name) === key && texts[name] !== undefined);
  return texts[names[0]!] as string;
}

/** Otherwise a person who may change settings could have a secret sent to a server of their own. */
function enterAgain(secret: SettingKey, moved: SettingKey[]): AppError {
  const labels = moved
    .map((key) => translated(definitionOf(key).label))
    .reduce((before, label) => say('{before}, {label}', { before, label }));
  return fieldError(secret, say('Enter it again, because this changed: {labels}.', { labels }));
}

/** Settings on which it depends in which language's list a post is. */
export const languageKeys: ReadonlySet<string> = new Set<SettingKey>(['site_language', 'site_languages']);

/** Posts that are read in one query. */
const BATCH_SIZE = 200;

/** Former addresses of the list of posts that still redirect to it; older ones are deleted. */
const OLD_PATHS_MAX = 20;

/** Groups whose changes are not recorded: readers do not see them, and some are secret. */
const unrecordedGroups: ReadonlySet<string> = new Set<SettingsGroup>([
  'delivery',
  'email',
  'newsletter',
  'security',
]);

/** Writes the stored text of a setting; null deletes it. */
export async function writeSetting(
  { tx, now, recordTexts, causes }: PublicChange,
  key: SettingKey,
  value: string | null,
): Promise<void> {
  const before = await tx.setting.findUnique({ where: { key } });
  if (value === null) await tx.setting.deleteMany({ where: { key } });
  else
    await tx.setting.upsert({
      where: { key },
      create: { key, value, updatedAt: now },
      update: { value, updatedAt: now },
    });
  if (definitionOf(key).group !== 'internal') causes('settings.changed', key);
  if (!unrecordedGroups.has(definitionOf(key).group))
    recordTexts('setting', key, { value: before?.value ?? null }, { value });
}

/** Records the former address of the list of posts, which then redirects to the new one. */
export async function keepOldPostsPath(change: PublicChange, before: string): Promise<void> {
  const settings = await readSettings({ db: change.tx });
  const path = postsPathOf(settings);
  if (path === before) return;
  const oldPaths = [before, ...settings.old_posts_paths].filter((old) => old !== path && old !== '/');
  const value = [...new Set(oldPaths)].slice(0, OLD_PATHS_MAX).join('\n');
  await writeSetting(change, 'old_posts_paths', value);
}

/** Moves each post to the list of its language. Only posts with a language of their own can move. */
export async function moveToLanguageLists(change: PublicChange): Promise<void> {
  const { tx } = change;
  const settings = await readSettings({ db: tx });
  change.affectsEveryPage();
  for (let after = ''; ;) {
    const posts = await tx.post.findMany({
      where: { language: { not: '' }, type: 'post', id: { gt: after } },
      select: { id: true, language: true, listedIn: true },
      orderBy: { id: 'asc' },
      take: BATCH_SIZE,
    });
    for (const { id, language, listedIn } of posts) {
      const list = listOf(
        { type: 'post', language } satisfies Pick<PostFields, 'type' | 'language'>,
        settings,
      );
      if (list === listedIn) continue;
      await tx.post.update({ where: { id }, data: { listedIn: list } });
      change.affectsWritten(id);
    }
    if (posts.length < BATCH_SIZE) return;
    after = posts.at(-1)!.id;
  }
}
