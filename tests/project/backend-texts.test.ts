import { expect, test } from 'vitest';
import { loadWords } from '#app/admin/languages/catalogues.ts';
import { menuOf } from '#app/admin/enter-screen.server.ts';
import { screens } from '#app/admin/screens.server.ts';
import { about, inEnglish, messageOfIssue, say } from '#app/platform/message.ts';
import { fromStored, toStored } from '#app/platform/stored-message.server.ts';
import { supportedLanguages } from '#app/platform/text/languages.ts';
import { requiredLine } from '#app/platform/text/schemas.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import { wordsIn } from '#app/ui/words.ts';
import { missingTexts, readCatalogue, textCounts, withEnglish } from '#tests/support/texts/missing-texts.ts';

const translated = supportedLanguages.filter((one) => one !== 'en');

test.each(translated)('every text that a screen may show is there in %s', (language) => {
  expect(textCounts.texts).toBeGreaterThan(600);
  expect(textCounts.messages).toBeGreaterThan(400);
  const missing = missingTexts(language);
  if (process.env.CI || missing.length === 0) expect(missing).toEqual([]);
  else
    // Whoever adds a text need not know eleven languages: what is missing is shown in English.
    process.stderr.write(
      `${language}.json lacks ${missing.length} texts, such as “${missing[0]}”. npm run texts:fill writes the English ones there.\n`,
    );
});

test('the English texts are written after the one before them, and what is there stays', () => {
  const catalogue = { One: 'Eins', Three: 'Drei' };
  expect(
    Object.entries(withEnglish(catalogue, ['Two', 'Four', 'A {} text'], ['One', 'Two', 'Three'])),
  ).toEqual([
    ['One', 'Eins'],
    ['Two', 'Two'],
    ['Three', 'Drei'],
    ['Four', 'Four'],
  ]);
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
  expect(words('Select “{title}”', { title: '{x} $&' })).toBe('„{x} $&“ auswählen');
});
