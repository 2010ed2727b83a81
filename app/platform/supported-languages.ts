/** Languages that there are built-in texts in; `app/site/messages.ts` has them. */
export const supportedLanguages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt-BR',
  'nl',
  'pl',
  'ja',
  'zh-Hans',
  'zh-Hant',
  'ar',
] as const;

export type SupportedLanguage = (typeof supportedLanguages)[number];

/** As people read it in a message. */
export const supportedLanguageList = supportedLanguages.join(', ');
