import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pageKeys, tools } from '#app/admin/editor/live/base/tools.ts';
import { gridActions } from '#app/admin/editor/live/tables/actions.ts';
import { NO_PROBLEMS } from '#app/admin/editor/preview/share.tsx';
import { loadWords } from '#app/admin/languages/catalogues.ts';
import { menuOf } from '#app/admin/enter-screen.server.ts';
import { bulkActions, consequences } from '#app/admin/posts/bulk-actions.ts';
import { sorts } from '#app/admin/posts/list-address.ts';
import { kindNames } from '#app/admin/releases/items.tsx';
import { screens } from '#app/admin/screens.server.ts';
import { auditActions, auditTerms } from '#app/people/audit/actions.ts';
import { roles } from '#app/people/roles.ts';
import { about, inEnglish, messageOfIssue, say } from '#app/platform/message.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { fromStored, toStored } from '#app/platform/stored-message.server.ts';
import { supportedLanguages } from '#app/platform/text/supported-languages.ts';
import { requiredLine } from '#app/platform/text/schemas.ts';
import { postFields } from '#app/posts/fields/fields.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import { definitionOf, settingKeys } from '#app/settings/catalogue.ts';
import { wordsIn, type Catalogue } from '#app/ui/words.ts';
import { backendTexts, phrases, serverMessages } from '#tests/support/texts/backend-texts.ts';

const translated = supportedLanguages.filter((one) => one !== 'en');

// Read from the sources once for all languages.
const texts = [...backendTexts().keys()];
const messages = [...serverMessages().keys()];
const labels = [...phrases().keys()];

const themesFolder = path.join(projectRoot, 'app/site/appearance/themes');
const themes = readdirSync(themesFolder).map(
  (name) =>
    JSON.parse(readFileSync(path.join(themesFolder, name, 'theme.json'), 'utf8')) as { description: string },
);

const readCatalogue = (language: string) =>
  JSON.parse(
    readFileSync(path.join(projectRoot, `app/admin/languages/${language}.json`), 'utf8'),
  ) as Catalogue;

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

test.each(translated)('every text of the backend’s screens is there in %s', (language) => {
  expect(texts.length).toBeGreaterThan(600);
  const catalogue = readCatalogue(language);
  const missing = [...texts, ...tables].filter((text) => !Object.hasOwn(catalogue, text));
  expect(missing).toEqual([]);
});

/** Words that messages are put together with. Each makes a text of its own. */
const parts = [
  ['category', 'tag'],
  ['email address', 'username'],
  ['1 post', '{number} posts'],
];

test.each(translated)('every message of the server that a screen may show is there in %s', (language) => {
  expect(messages.length).toBeGreaterThan(400);
  const catalogue = readCatalogue(language);
  const isThere = (text: string) =>
    parts.some((words) => words.every((word) => Object.hasOwn(catalogue, text.replaceAll('{}', word))));
  expect(messages.filter((text) => !isThere(text))).toEqual([]);
});

test.each(translated)('every label and name that a screen may show is there in %s', (language) => {
  const catalogue = readCatalogue(language);
  const missing = labels.filter(
    (form) =>
      !Object.hasOwn(catalogue, form) &&
      !Object.keys(catalogue).some((text) => text.replaceAll(/\{\w+\}/g, '{}') === form),
  );
  expect(missing).toEqual([]);
});

test('a message with values is said in another language, and so are the texts among its values', async () => {
  await loadWords('de');
  const { message } = wordsIn('de');
  expect(message(say('The heading “{text}” skips a level.', { text: 'a (b) [c] {d} $&' }))).toBe(
    'Die Überschrift „a (b) [c] {d} $&“ überspringt eine Ebene.',
  );
  expect(message(say('{number} posts now {state}.', { number: 3, state: say('scheduled') }))).toBe(
    '3 Beiträge sind jetzt: geplant.',
  );
  expect(message(about('boat.png', 'The file is empty.'))).toBe('boat.png: Die Datei ist leer.');
  const title = requiredLine(300, 'Search title').safeParse('a'.repeat(301));
  expect(message(messageOfIssue(title.error!.issues[0]!))).toBe(
    'Titel für Suchmaschinen: Das ist zu lang; höchstens 300 Zeichen.',
  );
  // A tag may have the name of a state, which is translated elsewhere.
  expect(message(say('“{title}” was moved to the trash.', { title: 'archive' }))).toBe(
    '„archive“ wurde in den Papierkorb gelegt.',
  );
  expect(message('Nobody has ever said this.')).toBe('Nobody has ever said this.');
  expect(inEnglish(about('boat.png', say('At most {most} sections.', { most: 20 })))).toBe(
    'boat.png: At most 20 sections.',
  );
});

test('a stored message is read as it was, and a sentence of an older version stays a sentence', () => {
  const message = say('Release “{name}”', { name: '{"text":' });
  expect(fromStored(toStored(message))).toEqual(message);
  for (const text of ['', 'Created', 'Release “X”', '{"text":', '{"text":"a"}', '{"text":1,"values":{}}'])
    expect(fromStored(text)).toBe(text);
});

test.each(translated)('translations have the same names for values as the English text: %s', (language) => {
  const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
  for (const [english, translated] of Object.entries(readCatalogue(language)))
    for (const form of typeof translated === 'string' ? [translated] : Object.values(translated))
      expect(names(form), english).toEqual(names(english));
});

test('navigation, list, editor and login are there in every language', async () => {
  const core = [
    ...menuOf(screens).flatMap((group) => group.map(({ title }) => title)),
    ...postStatuses,
    'Log in',
    'Save',
    'Publish',
    'New post',
  ];
  for (const language of translated) {
    await loadWords(language);
    const words = wordsIn(language);
    // Loanwords may be the same; the whole is not.
    expect(core.filter((text) => words(text) === text).length, language).toBeLessThan(6);
  }
});

test('counts follow the plural rules, and what is missing stays English', async () => {
  await loadWords('de');
  const words = wordsIn('de');
  expect(words.count('{count} day left', '{count} days left', 1)).toBe('noch 1 Tag');
  expect(words.count('{count} day left', '{count} days left', 1_200)).toBe('noch 1.200 Tage');
  expect(wordsIn('en').count('{count} day left', '{count} days left', 1)).toBe('1 day left');
  expect(words('No text of any screen')).toBe('No text of any screen');
  expect(words('constructor')).toBe('constructor');
  expect(words('Choose “{title}”', { title: '{x} $&' })).toBe('„{x} $&“ auswählen');
});
