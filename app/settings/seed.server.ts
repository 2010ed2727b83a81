import { inTransaction } from '#app/platform/database/transaction.server.ts';
import type { Timed } from '#app/platform/services.ts';
import { definitionOf, settingKeys, storageKeyOf } from './catalogue.ts';

export interface SeedResult {
  createdKeys: string[];
  keptKeys: string[];
}

/** Writes the default of every setting that has no row yet. Never overwrites a value. */
export async function seedSettings(app: Timed): Promise<SeedResult> {
  const updatedAt = app.clock.now();
  return inTransaction(app.db, async (tx) => {
    const present = new Set((await tx.setting.findMany({ select: { key: true } })).map(({ key }) => key));
    const keys = settingKeys.filter((key) => !definitionOf(key).secret && storageKeyOf(key) === key);
    const createdKeys = keys.filter((key) => !present.has(key));
    for (const key of createdKeys)
      await tx.setting.upsert({
        where: { key },
        create: { key, value: definitionOf(key).default, updatedAt },
        update: {},
      });
    await tx.siteState.upsert({ where: { id: 1 }, create: { id: 1, updatedAt }, update: {} });
    return { createdKeys, keptKeys: keys.filter((key) => present.has(key)) };
  });
}
