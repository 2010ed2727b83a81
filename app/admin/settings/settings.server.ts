import { redirect } from '@remix-run/node';
import { byUser, writeAudit } from '#app/auth/audit.server.ts';
import { sendMail } from '#app/mail/send-mail.server.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { changeSettings } from '#app/publishing/change-settings.server.ts';
import {
  definitionOf,
  secretSettingKeys,
  settingKeys,
  type SettingDefinition,
  type SettingKey,
  type SettingsGroup,
} from '#app/settings/catalogue.ts';
import { readSetting, readSettingTexts } from '#app/settings/queries.server.ts';
import { adminUrl } from '../admin-url.ts';
import { readForm } from '../read-form.server.ts';
import type { ActionResult, ScreenArguments } from '../screen.ts';
import { unknownIntent } from '../unknown-intent.ts';

const groups: SettingsGroup[] = ['site', 'publishing', 'email', 'security'];

export type SettingField = Omit<SettingDefinition, 'schema' | 'default'> & {
  key: SettingKey;
  isSet: boolean;
};

export async function load({ app, params, request }: ScreenArguments) {
  const group = groupOf(params.group ?? 'site');
  const { texts, secretsSet } = await readSettingTexts(app);
  const fields = keysOf(group).map((key): SettingField => {
    const { schema: _schema, default: _default, ...shown } = definitionOf(key);
    return { key, isSet: secretsSet.includes(key), ...shown };
  });
  const saved = new URL(request.url).searchParams.has('saved');
  return { group, groups, fields, values: texts, saved };
}

export async function act(args: ScreenArguments): Promise<ActionResult | Response> {
  const { app, params, request, user, address } = args;
  const group = groupOf(params.group ?? 'site');
  const values = await readForm(request);
  try {
    if (group === 'email' && values.intent === 'test') return await sendTestMessage(args);
    if ((values.intent ?? 'save') !== 'save') throw unknownIntent();
    const texts = Object.fromEntries(keysOf(group).map((key) => [key, values[key]]));
    await changeSettings(app, texts, byUser(user, address));
    // The admin path may be what has just changed.
    const adminPath = await readSetting(app, 'admin_path');
    return redirect(`${adminUrl(adminPath, 'settings', group)}?saved`);
  } catch (error) {
    if (!isAppError(error)) throw error;
    // A secret that was typed is never sent back.
    const shown = Object.fromEntries(
      Object.entries(values).filter(([key]) => !(secretSettingKeys as string[]).includes(key)),
    );
    return { status: error.status, message: error.message, errors: error.fields, values: shown };
  }
}

/** Sends a message to whoever asks for it, with the settings as they are saved. */
async function sendTestMessage({ app, user, adminContext, address }: ScreenArguments): Promise<ActionResult> {
  await sendMail(app, {
    to: user.email,
    subject: `A test message from ${adminContext.siteTitle}`,
    text: `This message shows that ${adminContext.siteTitle} can send email.\n`,
  });
  const by = byUser(user, address);
  await writeAudit(app.db, app.clock, { action: 'settings.mail-tested', by, subject: user.email });
  return { mailAnswer: `The mail server accepted the message for ${user.email}.` };
}

function groupOf(name: string): SettingsGroup {
  const group = groups.find((known) => known === name);
  if (!group) throw new AppError('not_found', 'There are no such settings.');
  return group;
}

function keysOf(group: SettingsGroup): SettingKey[] {
  return settingKeys.filter((key) => definitionOf(key).group === group);
}
