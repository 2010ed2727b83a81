import { definitionOf, settingKeys, storageKeyOf, type SettingKey } from '#app/settings/catalogue.ts';

/** Groups without a form, groups that readers do not see, and groups whose change could lock people out. */
const outOfReleases = new Set(['delivery', 'email', 'internal', 'newsletter', 'security']);

export function isSettingKey(key: string): key is SettingKey {
  return (settingKeys as string[]).includes(key);
}

/** True for the key of a row that a release can change. */
export function isReleasable(key: SettingKey): boolean {
  const { group, secret, hidden } = definitionOf(key);
  return storageKeyOf(key) === key && !outOfReleases.has(group) && !secret && !hidden;
}
