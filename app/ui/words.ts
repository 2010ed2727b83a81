import { createContext, createElement, Fragment, useContext, type ReactNode } from 'react';
import type { Message } from '#app/platform/message.ts';

/** A text in another language. A text with a count has a form for each plural rule of `Intl`. */
export type Translated = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);

/** The texts of one language by their English texts. A missing text is shown in English. */
export type Catalogue = Readonly<Record<string, Translated>>;

type Values = Record<string, string | number | undefined>;

/** The backend's texts in one language. */
export interface Words {
  /** The translation of an English text, with values for its `{names}`. */
  (text: string, values?: Values): string;
  /** The translation of a server's message. */
  message(message: Message): string;
  /** The translation of an English text whose values may be elements. */
  rich(text: string, values: Record<string, ReactNode>): ReactNode;
  /** The translation of a text with `{count}`. `one` and `other` are the English singular and plural. */
  count(one: string, other: string, count: number): string;
}

/** The language of the backend's texts, BCP 47. */
export const WordsLanguage = createContext('en');

const catalogues = new Map<string, Catalogue>();
const wordsByLanguage = new Map<string, Words>();

/** Registers a language's texts: a server those of everybody who uses the backend, a browser only the page's. */
export function provideWords(language: string, catalogue: Catalogue): void {
  catalogues.set(language, catalogue);
  wordsByLanguage.delete(language);
}

/** Whether a language's texts are registered. */
export function hasWords(language: string): boolean {
  return catalogues.has(language);
}

/** The backend's texts in the person's language. */
export function useWords(): Words {
  return wordsIn(useContext(WordsLanguage));
}

/** The backend's texts in a registered language, or in English for any other. */
export function wordsIn(language: string): Words {
  let words = wordsByLanguage.get(language);
  if (!words) wordsByLanguage.set(language, (words = makeWords(language, catalogues.get(language) ?? {})));
  return words;
}

function makeWords(language: string, catalogue: Catalogue): Words {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const find = (text: string) => {
    const translation = Object.hasOwn(catalogue, text) ? catalogue[text]! : text;
    return typeof translation === 'string' ? translation : translation.other;
  };
  const words = (text: string, values?: Values) =>
    values ? fill(find(text), (name) => shown(values[name])).join('') : find(text);
  const say = (message: Message): string =>
    typeof message === 'string'
      ? find(message)
      : fill(find(message.text), (name) => {
          const value = message.values[name];
          return typeof value === 'object' ? say(value) : shown(value);
        }).join('');
  const shown = (value: string | number | undefined) =>
    typeof value === 'number' ? numbers.format(value) : (value ?? '');
  return Object.assign(words, {
    rich: (text: string, values: Record<string, ReactNode>) =>
      fill<ReactNode>(find(text), (name) => values[name]).map((part, key) =>
        createElement(Fragment, { key }, part),
      ),
    message: say,
    count(one: string, other: string, count: number) {
      const pluralForms = Object.hasOwn(catalogue, other) ? catalogue[other]! : { one, other };
      const form =
        typeof pluralForms === 'string'
          ? pluralForms
          : (pluralForms[rules.select(count)] ?? pluralForms.other);
      return form.replace('{count}', numbers.format(count));
    },
  });
}

/** The parts of a text, with `valueOf(name)` in the place of each `{name}`. */
function fill<Part>(text: string, valueOf: (name: string) => Part): (Part | string)[] {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : valueOf(part)));
}
