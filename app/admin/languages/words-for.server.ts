import { supportedLanguage } from '#app/platform/text/languages.ts';
import { wordsIn, type Words } from '#app/ui/words.ts';

/** The language of the backend for a reader of a language: that one, or English if there are no texts in it. */
export function backendLanguage({ language }: { language: string }): string {
  return supportedLanguage(language) ?? 'en';
}

/** The backend's texts in a language, for texts that the server itself puts together. */
export function wordsFor(reader: { language: string }): Words {
  return wordsIn(backendLanguage(reader));
}
