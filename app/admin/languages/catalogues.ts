import type { SupportedLanguage } from '#app/platform/supported-languages.ts';
import { provideWords, type Catalogue } from '#app/ui/words.ts';

/** The backend's texts in each language but English, which is in the screens; a browser loads only its own. */
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

/** Makes the backend's texts in a language known to this process or page; English needs nothing. */
export async function loadWords(language: string): Promise<void> {
  const load = (catalogues as Partial<Record<string, (typeof catalogues)['de']>>)[language];
  if (load) provideWords(language, (await load()).default);
}

/** For a server: the texts in every language. */
export async function loadAllWords(): Promise<void> {
  await Promise.all(Object.keys(catalogues).map(loadWords));
}
