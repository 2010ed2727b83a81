import { supportedLanguage, type SupportedLanguage } from '#app/platform/text/languages.ts';
import arabic from '#app/site/languages/ar.json' with { type: 'json' };
import german from '#app/site/languages/de.json' with { type: 'json' };
import english from '#app/site/languages/en.json' with { type: 'json' };
import spanish from '#app/site/languages/es.json' with { type: 'json' };
import french from '#app/site/languages/fr.json' with { type: 'json' };
import italian from '#app/site/languages/it.json' with { type: 'json' };
import japanese from '#app/site/languages/ja.json' with { type: 'json' };
import dutch from '#app/site/languages/nl.json' with { type: 'json' };
import polish from '#app/site/languages/pl.json' with { type: 'json' };
import portuguese from '#app/site/languages/pt-BR.json' with { type: 'json' };
import type { Plural, Texts } from '#app/site/languages/texts.ts';
import simplifiedChinese from '#app/site/languages/zh-Hans.json' with { type: 'json' };
import traditionalChinese from '#app/site/languages/zh-Hant.json' with { type: 'json' };

/** The texts in every language; a missing one does not compile. */
const texts: Record<SupportedLanguage, Texts> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  'pt-BR': portuguese,
  nl: dutch,
  pl: polish,
  ja: japanese,
  'zh-Hans': simplifiedChinese,
  'zh-Hant': traditionalChinese,
  ar: arabic,
};

/** Every built-in text of the public site, in one language. */
export type Messages = ReturnType<typeof makeMessages>;

const made = new Map<string, Messages>();

/**
 * The texts for a language, or for the first one of an `Accept-Language` header; English if there are no texts in it.
 */
export function messagesFor(language: string | undefined): Messages {
  const key = supportedLanguage(language) ?? 'en';
  let messages = made.get(key);
  if (!messages) made.set(key, (messages = makeMessages(key)));
  return messages;
}

function makeMessages(language: SupportedLanguage) {
  const inLanguage = texts[language];
  const { search, post, lists } = inLanguage;
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const plural = (forms: Plural, count: number, values: Record<string, string> = {}) =>
    fill(forms[rules.select(count)] ?? forms.other, { count: numbers.format(count), ...values });
  return {
    ...inLanguage,
    more: (label: string) => fill(inLanguage.more, { label }),
    search: {
      ...search,
      /** `shown`: the count, or `1,000+` if counting stopped there. */
      results: (count: number, query: string, shown: string) =>
        plural(search.results, count, { query, count: shown }),
      nothing: (query: string) => fill(search.nothing, { query }),
      notAsTyped: (query: string) => fill(search.notAsTyped, { query }),
    },
    post: {
      ...post,
      readingTime: (minutes: number) => plural(post.readingTime, minutes),
      updated: (date: string) => fill(post.updated, { date }),
      comments: (count: number) => plural(post.comments, count),
      authors: (count: number) => plural(post.authors, count),
    },
    lists: {
      ...lists,
      count: (count: number) => plural(lists.count, count),
      pageOf: (page: number, pageCount: number) =>
        fill(lists.pageOf, { page: numbers.format(page), pageCount: numbers.format(pageCount) }),
      page: (page: number) => fill(lists.page, { page: numbers.format(page) }),
    },
  };
}

function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
