import * as z from 'zod';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { wordsFor } from '#app/admin/languages/words-for.server.ts';
import { actionsOf, auditActions, auditTerms } from '#app/people/audit/actions.ts';
import { listAudit } from '#app/people/audit/audit.server.ts';
import { keysOf } from '#app/platform/narrow.ts';
import { line } from '#app/platform/text/schemas.ts';
import { isSettingKey } from '#app/releases/release.ts';
import { definitionOf, settingKeys, type SettingKey } from '#app/settings/catalogue.ts';
import { readSetting } from '#app/settings/queries.server.ts';

const PER_PAGE = 50;

const terms = keysOf(auditTerms);

const querySchema = z.object({
  term: z.enum(terms).optional().catch(undefined),
  user: z.uuid().optional().catch(undefined),
  q: line(100, 'Search').catch(''),
  after: z.uuid().optional().catch(undefined),
});

export async function load({ app, request, adminContext }: ScreenArguments) {
  const { term, user, q, after } = querySchema.parse(Object.fromEntries(new URL(request.url).searchParams));
  const text = q ?? '';
  const t = wordsFor(adminContext);
  const labelOf = (key: SettingKey) => {
    const { label, group } = definitionOf(key);
    // "Password" alone would read as that of an account.
    return group === 'email' ? `${t('Email')}: ${t(label)}` : t(label);
  };
  const labelsOf = (keys: string) =>
    keys
      .split(', ')
      .map((key) => (isSettingKey(key) ? labelOf(key) : key))
      .join(', ');
  const filter = {
    actions: term && actionsOf(term),
    userId: user,
    text,
    // The log stores keys, the screen shows their labels.
    orSettings: settingKeys.filter((key) => labelOf(key).toLowerCase().includes(text.toLowerCase())),
    after,
  };
  const { entries, next } = await listAudit(app, filter, PER_PAGE);
  const users = await app.db.user.findMany({ select: { id: true, displayName: true } });
  return {
    filter: { term: term ?? '', user: user ?? '', q: text },
    isFirstPage: after === undefined,
    entries: entries.map((entry) => ({
      ...entry,
      subject: entry.action === 'settings.changed' ? labelsOf(entry.subject) : entry.subject,
      words: (auditActions as Record<string, string>)[entry.action] ?? entry.action,
    })),
    next,
    users: users.sort((a, b) => a.displayName.localeCompare(b.displayName)),
    keepDays: await readSetting(app, 'audit_keep_days'),
  };
}
