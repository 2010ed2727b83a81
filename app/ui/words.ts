import { createContext, createElement, Fragment, useContext, type ReactNode } from 'react';

/** A text in another language; forms by the plural rules of `Intl` where it has a count. */
export type Translated = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);

/** The texts of one language, by the English ones; what is missing stays English. */
export type Catalogue = Readonly<Record<string, Translated>>;

type Values = Record<string, string | number | undefined>;

/** Says the backend's texts in one language. */
export interface Words {
  /** A text by its English one, with values in the place of its `{names}`. */
  (text: string, values?: Values): string;
  /** The same with elements among the values. */
  rich(text: string, values: Record<string, ReactNode>): ReactNode;
  /** A text with `{count}`, by the English form for one and the one for any other number. */
  count(one: string, other: string, count: number): string;
}

/** The language of the backend's texts, BCP 47. */
export const WordsLanguage = createContext('en');

const catalogues = new Map<string, Catalogue>();
const made = new Map<string, Words>();

/** Makes a language's texts known: the server knows all, a browser those of its page. */
export function provideWords(language: string, catalogue: Catalogue): void {
  catalogues.set(language, catalogue);
  made.delete(language);
}

/** The backend's texts in the language of whoever looks at it. */
export function useWords(): Words {
  return wordsIn(useContext(WordsLanguage));
}

/** The texts in a language that is known here, else in English. */
export function wordsIn(language: string): Words {
  let words = made.get(language);
  if (!words) made.set(language, (words = makeWords(language, catalogues.get(language) ?? {})));
  return words;
}

function makeWords(language: string, catalogue: Catalogue): Words {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const find = (text: string) => {
    const found = Object.hasOwn(catalogue, text) ? catalogue[text]! : text;
    return typeof found === 'string' ? found : found.other;
  };
  const words = (text: string, values?: Values) =>
    values ? fill(find(text), (name) => shown(values[name])).join('') : find(text);
  const shown = (value: string | number | undefined) =>
    typeof value === 'number' ? numbers.format(value) : (value ?? '');
  return Object.assign(words, {
    rich: (text: string, values: Record<string, ReactNode>) =>
      fill<ReactNode>(find(text), (name) => values[name]).map((part, key) =>
        createElement(Fragment, { key }, part),
      ),
    count(one: string, other: string, count: number) {
      const found = Object.hasOwn(catalogue, other) ? catalogue[other]! : { one, other };
      const form = typeof found === 'string' ? found : (found[rules.select(count)] ?? found.other);
      return form.replace('{count}', numbers.format(count));
    },
  });
}

/** The parts of a text, with what a value gives in the place of each name. */
function fill<Part>(text: string, valueOf: (name: string) => Part): (Part | string)[] {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : valueOf(part)));
}
