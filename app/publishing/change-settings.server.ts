import type { App } from '#app/app.ts';
import { byCommand, writeAudit, type By } from '#app/auth/audit.server.ts';
import { AppError, type FieldErrors } from '#app/platform/errors.ts';
import { definitionOf, settingKeys, type SettingKey } from '#app/settings/catalogue.ts';
import { encryptSecret } from '#app/settings/secrets.server.ts';
import { changePublicContent, type PublishingContext } from './public-change.server.ts';

/**
 * Saves settings from their texts. Keys that are absent stay as they are; a blank secret keeps its value.
 * The audit log names the keys, never a value.
 * @throws AppError `invalid_input` with an error beside each wrong field; then nothing was written.
 */
export async function changeSettings(
  app: PublishingContext & Pick<App, 'env'>,
  texts: Partial<Record<SettingKey, unknown>>,
  by: By = byCommand,
): Promise<{ changedKeys: SettingKey[] }> {
  const keys = settingKeys.filter((key) => texts[key] !== undefined);
  const fields: FieldErrors = {};
  for (const key of keys) {
    const parsed = definitionOf(key).schema.safeParse(texts[key]);
    if (!parsed.success) fields[key] = parsed.error.issues.map((issue) => issue.message);
  }
  if (Object.keys(fields).length > 0)
    throw new AppError('invalid_input', 'Some settings need another look.', { fields });
  return changePublicContent(app, async ({ tx, now }) => {
    const changedKeys: SettingKey[] = [];
    for (const key of keys) {
      const { secret } = definitionOf(key);
      const submitted = (texts[key] as string).replace(/\r\n?/g, '\n');
      if (secret && submitted === '') continue;
      const value = secret ? encryptSecret(submitted, app.env.authSecret) : submitted.trim();
      const current = await tx.setting.findUnique({ where: { key } });
      if (current?.value === value) continue;
      await tx.setting.upsert({
        where: { key },
        create: { key, value, updatedAt: now },
        update: { value, updatedAt: now },
      });
      changedKeys.push(key);
    }
    if (changedKeys.length > 0)
      await writeAudit(tx, app.clock, { action: 'settings.changed', by, subject: changedKeys.join(', ') });
    return { changedKeys };
  });
}
