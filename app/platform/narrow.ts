// What TypeScript cannot know of plain objects and texts, said once.

/** The keys of an object that is known whole, such as a catalogue. */
export function keysOf<Key extends string>(object: Readonly<Partial<Record<Key, unknown>>>): Key[] {
  return Object.keys(object) as Key[];
}

/** An object with a value for each of these keys. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>;
}

/** Whether a text is one of these words. */
export function isOneOf<Word extends string>(words: readonly Word[], text: string): text is Word {
  return words.some((word) => word === text);
}

/**
 * A text of the database that is one of these words: a state, a kind, a role.
 * @throws Error for another one, which only a newer version of the server can have written
 */
export function oneOf<Word extends string>(words: readonly Word[], text: string): Word {
  if (isOneOf(words, text)) return text;
  throw new Error(`“${text}” is none of ${words.join(', ')}`);
}
