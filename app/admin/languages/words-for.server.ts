import { supportedLanguage } from '#app/platform/text/languages.ts';
import { wordsIn, type Words } from '#app/ui/words.ts';

/** The backend's texts in a language, for texts that the server itself puts together. */
export function wordsFor({ language }: { language: string }): Words {
  return wordsIn(supportedLanguage(language) ?? 'en');
}
