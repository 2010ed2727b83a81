import { supportedLanguage } from '#app/platform/supported-languages.ts';
import { wordsIn, type Words } from '#app/ui/words.ts';

/** The backend's texts in a language, where the server makes a text that a screen shows as it is. */
export function wordsFor({ language }: { language: string }): Words {
  return wordsIn(supportedLanguage(language) ?? 'en');
}
