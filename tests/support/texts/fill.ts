// `npm run texts:fill`: writes the English of each text that a catalogue of the backend lacks into it, for translators.
import { writeFile } from 'node:fs/promises';
import { supportedLanguages } from '#app/platform/text/languages.ts';
import { allTexts, catalogueFile, missingTexts, readCatalogue, withEnglish } from './missing-texts.ts';

const written: Record<string, string[]> = {};
for (const language of supportedLanguages.filter((one) => one !== 'en')) {
  const missing = missingTexts(language);
  if (missing.length === 0) continue;
  written[language] = missing.filter((text) => !text.includes('{}'));
  const filled = withEnglish(readCatalogue(language), missing, allTexts);
  await writeFile(catalogueFile(language), `${JSON.stringify(filled, null, 2)}\n`);
  const unnamed = missing.filter((text) => text.includes('{}'));
  if (unnamed.length > 0)
    process.stderr.write(
      `${language}.json: write these yourself, with names for {}: ${unnamed.join(' | ')}\n`,
    );
}
process.stdout.write(`${JSON.stringify({ written })}\n`);
