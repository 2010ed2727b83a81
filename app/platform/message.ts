import type * as z from 'zod';

/** An English text with `{names}`, and their values. */
export interface FilledText {
  text: string;
  values: Record<string, MessageValue>;
}

/** A text for people, which a screen translates: plain, or with values. */
export type Message = string | FilledText;

/** A value is shown as it is, as a title or an address. One that is a text itself is translated. */
export type MessageValue = string | number | FilledText;

/** A message with values. */
export function say(text: string, values: Record<string, MessageValue> = {}): FilledText {
  return { text, values };
}

/** A message as a value of another one, in which it is translated too. */
export function translated(message: Message): FilledText {
  return typeof message === 'string' ? say(message) : message;
}

/** What a message is about (a file, a field, a post), and the message. */
export function about(subject: MessageValue, message: Message): FilledText {
  return say('{subject}: {message}', { subject, message: translated(message) });
}

/** The English sentence: for the log, commands and answers in JSON. */
export function inEnglish(message: MessageValue): string {
  if (typeof message !== 'object') return String(message);
  return message.text.replace(/\{(\w+)\}/g, (_, name: string) => inEnglish(message.values[name] ?? ''));
}

/** A problem that a schema finds, with values in its message. For `addIssue`. */
export function customIssue(message: Message) {
  return { code: 'custom', message: inEnglish(message), params: { said: message } } as const;
}

/** The same for the second argument of `refine`. */
export function saying(text: string, values: Record<string, MessageValue>) {
  const said = say(text, values);
  return { error: () => inEnglish(said), params: { said } };
}

/** The message of a problem that a schema has found. */
export function messageOfIssue(issue: z.core.$ZodIssue): Message {
  const said = issue.code === 'custom' ? (issue.params?.said as Message | undefined) : undefined;
  return said ?? issue.message;
}
