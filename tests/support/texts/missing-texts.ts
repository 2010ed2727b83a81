import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pageKeys, tools } from '#app/admin/editor/live/base/tools.ts';
import { gridActions } from '#app/admin/editor/live/tables/text.ts';
import { NO_PROBLEMS } from '#app/admin/editor/preview/share.tsx';
import { bulkActions, consequences } from '#app/admin/posts/bulk-actions.ts';
import { sorts } from '#app/admin/posts/list-address.ts';
import { kindNames } from '#app/admin/releases/items.tsx';
import { screens } from '#app/admin/screens.server.ts';
import { auditActions, auditTerms } from '#app/people/audit/actions.ts';
import { roles } from '#app/people/roles.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { postFields } from '#app/posts/fields/fields.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import { definitionOf, settingKeys } from '#app/settings/catalogue.ts';
import type { Catalogue } from '#app/ui/words.ts';
import { backendTexts, phrases, serverMessages } from './backend-texts.ts';

// Read from the sources once for all languages.
const texts = [...backendTexts().keys()];
const messages = [...serverMessages().keys()];
const labels = [...phrases().keys()];

/** How many texts the sources have. */
export const textCounts = { texts: texts.length, messages: messages.length };

const themesFolder = path.join(projectRoot, 'app/settings/appearance/themes');
const themes = readdirSync(themesFolder).map(
  (name) =>
    JSON.parse(readFileSync(path.join(themesFolder, name, 'theme.json'), 'utf8')) as { description: string },
);

const tables = [
  ...Object.values(bulkActions).map(({ label }) => label),
  ...Object.values(bulkActions).map(({ button }) => button),
  ...Object.values(consequences),
  ...Object.values(auditActions),
  ...Object.values(auditTerms),
  ...Object.values(kindNames),
  NO_PROBLEMS,
  ...tools.flatMap(({ label, inMenu = label }) => [label, inMenu]),
  ...pageKeys.map(({ label }) => label),
  ...gridActions.flatMap(({ label, sign }) => (/[A-Z]/.test(sign) ? [label, sign] : [label])),
  ...['Screen', 'Action', 'Setting'],
  ...Object.values(sorts).map(({ label }) => label),
  ...postStatuses,
  ...roles,
  ...themes.map(({ description }) => description),
  ...screens.map(({ title }) => title),
  ...Object.values(postFields).map(({ label }) => label),
  ...settingKeys.flatMap((key) => {
    const { label, help = '', choices = [] } = definitionOf(key);
    return [label, ...(help === '' ? [] : [help]), ...choices.map((choice) => choice.label)];
  }),
];

/** Words that messages are put together with. Each makes a text of its own. */
const parts = [
  ['category', 'tag'],
  ['email address', 'username'],
  ['1 post', '{number} posts'],
];

export const catalogueFile = (language: string) =>
  path.join(projectRoot, `app/admin/languages/${language}.json`);

export const readCatalogue = (language: string) =>
  JSON.parse(readFileSync(catalogueFile(language), 'utf8')) as Catalogue;

/** Every text in the order of the sources. */
export const allTexts = [...texts, ...tables, ...messages, ...labels];

/** The texts that a screen may show and a language lacks; `{}` for a value that has no name in the source. */
export function missingTexts(language: string): string[] {
  const catalogue = readCatalogue(language);
  const forms = new Set(Object.keys(catalogue).map((text) => text.replaceAll(/\{\w+\}/g, '{}')));
  const has = (text: string) => Object.hasOwn(catalogue, text);
  const missing = [
    ...[...texts, ...tables].filter((text) => !has(text)),
    ...messages.filter(
      (text) => !parts.some((words) => words.every((word) => has(text.replaceAll('{}', word)))),
    ),
    ...labels.filter((form) => !has(form) && !forms.has(form)),
  ];
  return [...new Set(missing)];
}

/** A catalogue with the English of missing texts, each after the one before it in the sources. */
export function withEnglish(
  catalogue: Catalogue,
  missing: readonly string[],
  order: readonly string[],
): Catalogue {
  const entries = Object.entries(catalogue);
  for (const text of missing.filter((one) => !one.includes('{}'))) {
    const before = order
      .slice(0, Math.max(0, order.indexOf(text)))
      .findLast((one) => entries.some(([english]) => english === one));
    const place = entries.findIndex(([english]) => english === before);
    entries.splice(before === undefined ? entries.length : place + 1, 0, [text, text]);
  }
  return Object.fromEntries(entries);
}
