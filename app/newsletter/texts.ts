import { supportedLanguage, type SupportedLanguage } from '#app/platform/text/languages.ts';
import texts from './texts.json' with { type: 'json' };

/** What readers see of the newsletter, on pages and in mails; placeholders are in braces. */
export type NewsletterTexts = (typeof texts)['en'];

const inLanguages: Record<SupportedLanguage, NewsletterTexts> = texts;

/** The texts for a language; English if there are none in it. */
export function newsletterTexts(language: string | undefined): NewsletterTexts {
  return inLanguages[supportedLanguage(language) ?? 'en'];
}
