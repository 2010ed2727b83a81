import { createContext, createElement, Fragment, useContext, type ReactNode } from 'react';

/** A text in another language; forms by the plural rules of `Intl` where it has a count. */
export type Translated = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);

/** The texts of one language, by the English ones; what is missing stays English. */
export type Catalogue = Readonly<Record<string, Translated>>;

type Values = Record<string, string | number | undefined>;

/** The backend's texts in one language. */
export interface Words {
  /** A text by its English one, with values in the place of its `{names}`. */
  (text: string, values?: Values): string;
  /** A message of the server: English, with its values filled in already. */
  message(text: string): string;
  /** The same as `t` with elements among the values. */
  rich(text: string, values: Record<string, ReactNode>): ReactNode;
  /** A text with `{count}`, by the English form for one and the one for any other number. */
  count(one: string, other: string, count: number): string;
}

/** The language of the backend's texts, BCP 47. */
export const WordsLanguage = createContext('en');

const catalogues = new Map<string, Catalogue>();
const made = new Map<string, Words>();

/** Registers a language's texts: the server has all languages, a browser that of its page. */
export function provideWords(language: string, catalogue: Catalogue): void {
  catalogues.set(language, catalogue);
  made.delete(language);
}

/** The backend's texts in the person's language. */
export function useWords(): Words {
  return wordsIn(useContext(WordsLanguage));
}

/** The texts in a registered language, else in English. */
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
  let forms: Form[] | undefined;
  const say = (text: string): string =>
    Object.hasOwn(catalogue, text) ? find(text) : (sayFilled(text) ?? text);
  const sayFilled = (text: string): string | null => {
    if (text.length > MESSAGE_MAX) return null;
    forms ??= formsOf(catalogue);
    for (const { pattern, english, names } of forms) {
      const match = pattern.exec(text);
      if (!match) continue;
      // A value may be a text of its own: the label of a field, the name of a state, another message.
      return words(english, Object.fromEntries(names.map((name, at) => [name, say(match[at + 1]!)])));
    }
    // A subject (a file or an address) and the message about it.
    const [, about, rest] = /^(.+?): (.+)$/s.exec(text) ?? [];
    return rest === undefined ? null : `${about}: ${say(rest)}`;
  };
  const shown = (value: string | number | undefined) =>
    typeof value === 'number' ? numbers.format(value) : (value ?? '');
  return Object.assign(words, {
    rich: (text: string, values: Record<string, ReactNode>) =>
      fill<ReactNode>(find(text), (name) => values[name]).map((part, key) =>
        createElement(Fragment, { key }, part),
      ),
    message: say,
    count(one: string, other: string, count: number) {
      const found = Object.hasOwn(catalogue, other) ? catalogue[other]! : { one, other };
      const form = typeof found === 'string' ? found : (found[rules.select(count)] ?? found.other);
      return form.replace('{count}', numbers.format(count));
    },
  });
}

// Longer messages quote a text; matching them would be slow.
const MESSAGE_MAX = 1_000;

// A form with fewer letters would match unrelated texts.
const OWN_LETTERS = 6;

/** A text with `{names}`, and the pattern that matches it with values filled in. */
interface Form {
  english: string;
  pattern: RegExp;
  names: string[];
}

/** The forms of a catalogue, those with the most letters of their own first. */
function formsOf(catalogue: Catalogue): Form[] {
  const own = (text: string) => text.replace(/\{\w+\}|\P{L}/gu, '').length;
  return Object.keys(catalogue)
    .filter((english) => english.includes('{') && own(english) >= OWN_LETTERS)
    .sort((a, b) => own(b) - own(a))
    .map((english) => ({
      english,
      pattern: new RegExp(
        `^${fill(english.replace(/[.*+?^$()|[\]\\]/g, '\\$&'), () => '(.+?)').join('')}$`,
        's',
      ),
      names: [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    }));
}

/** The parts of a text, with what a value gives in the place of each name. */
function fill<Part>(text: string, valueOf: (name: string) => Part): (Part | string)[] {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : valueOf(part)));
}
