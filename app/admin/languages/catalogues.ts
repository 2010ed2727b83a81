import type { SupportedLanguage } from '#app/platform/text/languages.ts';
import { hasWords, provideWords, type Catalogue } from '#app/ui/words.ts';

/** The backend's texts in each language but English, which the screens contain. A browser loads only one catalogue. */
const catalogues: Record<Exclude<SupportedLanguage, 'en'>, () => Promise<{ default: Catalogue }>> = {
  de: () => import('./de.json'),
  fr: () => import('./fr.json'),
  es: () => import('./es.json'),
  it: () => import('./it.json'),
  'pt-BR': () => import('./pt-BR.json'),
  nl: () => import('./nl.json'),
  pl: () => import('./pl.json'),
  ja: () => import('./ja.json'),
  'zh-Hans': () => import('./zh-Hans.json'),
  'zh-Hant': () => import('./zh-Hant.json'),
  ar: () => import('./ar.json'),
};

/** Loads the backend's texts in a language into this process or page, once. English needs no loading. */
export async function loadWords(language: string): Promise<void> {
  const load = (catalogues as Partial<Record<string, (typeof catalogues)['de']>>)[language];
  if (load && !hasWords(language)) provideWords(language, (await load()).default);
}
