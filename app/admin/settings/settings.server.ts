import type { Db } from '#app/platform/services.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type ActionResult,
  type Done,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import { readFormReleases, saveToRelease } from '#app/admin/releases/saving.server.ts';
import { byUser, writeAudit } from '#app/people/audit/audit.server.ts';
import { sendMail } from '#app/people/mail.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { say, type Message } from '#app/platform/message.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { PAGES_LIST } from '#app/posts/lists/scope.ts';
import { wantedSettings } from '#app/publishing/releases/texts.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { isReleasable } from '#app/releases/release.ts';
import {
  definitionOf,
  settingKeys,
  storageKeyOf,
  type SettingDefinition,
  type SettingKey,
  type SettingsGroup,
} from '#app/settings/catalogue.ts';
import { readSetting, readSettingTexts } from '#app/settings/queries.server.ts';

type FormGroup = Exclude<SettingsGroup, 'appearance' | 'internal'>;

const groups: FormGroup[] = [
  'site',
  'navigation',
  'publishing',
  'delivery',
  'email',
  'newsletter',
  'security',
];

export type SettingField = Omit<SettingDefinition, 'schema' | 'default'> & {
  key: SettingKey;
  isSet: boolean;
};

/** Categories that a field offers. */
const OFFERED_MAX = 500;

export async function load(args: ScreenArguments) {
  const { app, params, request } = args;
  const group = groupOf(params.group ?? 'site');
  const { texts, secretsSet } = await readSettingTexts(app);
  const fields = keysOf(group).map((key): SettingField => {
    const { schema: _schema, default: _default, ...shown } = definitionOf(key);
    return { key, isSet: secretsSet.includes(key), ...shown };
  });
  for (const field of fields)
    if (field.key === 'home_page') field.choices = await homePageChoices(app, texts.home_page ?? '');
  const offersCategories = fields.some(({ offers }) => offers === 'categories');
  const categories = offersCategories
    ? await app.db.category.findMany({
        select: { slug: true, name: true },
        orderBy: { slug: 'asc' },
        take: OFFERED_MAX,
      })
    : [];
  const { releases, change } = await readFormReleases(args, 'setting', releasableKeys(group));
  const changed = fields.flatMap(({ key }) => {
    const value = change.get(storageKeyOf(key))?.value;
    return typeof value === 'string' ? [[key, value] as const] : [];
  });
  const values = { ...texts, ...Object.fromEntries(changed) };
  const saved = new URL(request.url).searchParams.has('saved') ? true : releases.notice;
  if (releasableKeys(group).length === 0) releases.open = [];
  const indexNowKey = group === 'delivery' && texts.indexnow === 'yes' ? (texts.indexnow_key ?? '') : '';
  return { group, categories, fields, values, saved, releases, indexNowKey };
}

export async function act(args: ActionArguments): Promise<ActionResult<{ mailAnswer: Message }> | Done> {
  const { app, params, user, address } = args;
  const { values } = args.form;
  const group = groupOf(params.group ?? 'site');
  if (group === 'email' && values.intent === 'test') return { mailAnswer: await sendTestMessage(args) };
  if ((values.intent ?? 'save') !== 'save') throw unknownIntent();
  const texts = Object.fromEntries(keysOf(group).map((key) => [key, values[key]]));
  const page = adminUrl(args.adminContext.adminPath, 'settings', group);
  const sent = () => Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
  const savedToRelease = await saveToRelease(args, page, () => wantedSettings(sent()));
  if (savedToRelease) return savedToRelease;
  await changeSettings(app, texts, byUser(user, address));
  // Read again, since the form may have changed the admin path.
  const adminPath = await readSetting(app, 'admin_path');
  return { location: `${adminUrl(adminPath, 'settings', group)}?saved` };
}

/** Sends a test message to the user, with the saved settings. */
async function sendTestMessage({ app, user, adminContext, address }: ScreenArguments): Promise<Message> {
  await sendMail(app, {
    to: user.email,
    subject: `A test message from ${adminContext.siteTitle}`,
    text: `This message shows that ${adminContext.siteTitle} can send email.\n`,
  });
  const by = byUser(user, address);
  await writeAudit(app.db, app.clock, { action: 'settings.mail-tested', by, subject: user.email });
  return say('The mail server accepted the message for {address}.', { address: user.email });
}

/**
 * The choices of a home page: the list of posts, or one of the pages. The present one stays a choice also while it is a
 * post or in the trash: saving another setting of the form keeps it.
 */
async function homePageChoices(app: Db, present: string) {
  const select = { id: true, title: true, slug: true } as const;
  const pages = await app.db.post.findMany({
    where: { listedIn: PAGES_LIST, status: { not: TRASHED } },
    select,
    orderBy: { slug: 'asc' },
    take: 500,
  });
  if (!pages.some(({ id }) => id === present))
    pages.push(...(await app.db.post.findMany({ where: { id: present }, select })));
  return [
    { value: '', label: 'Post list' },
    ...pages.map(({ id, title, slug }) => ({ value: id, label: `${title} (${slug})` })),
  ];
}

function groupOf(name: string): FormGroup {
  const group = groups.find((each) => each === name);
  if (!group) throw new AppError('not_found', 'There are no such settings.');
  return group;
}

/** The keys of the rows that releases can change. */
function releasableKeys(group: SettingsGroup): SettingKey[] {
  return keysOf(group).map(storageKeyOf).filter(isReleasable);
}

function keysOf(group: SettingsGroup): SettingKey[] {
  return settingKeys.filter((key) => definitionOf(key).group === group);
}
