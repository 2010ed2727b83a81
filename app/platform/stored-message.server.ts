import * as z from 'zod';
import type { FilledText, Message } from './message.ts';

const filledText: z.ZodType<FilledText> = z.strictObject({
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.lazy(() => filledText)])),
});

/** True for a message with values. */
export function isFilledText(value: unknown): value is FilledText {
  return filledText.safeParse(value).success;
}

/** A message as the text of a column. */
export function toStored(message: Message): string {
  return typeof message === 'string' ? message : JSON.stringify(message);
}

/** A message from a column. Rows of older versions have the English sentence. */
export function fromStored(stored: string): Message {
  if (!stored.startsWith('{"text":')) return stored;
  try {
    return filledText.parse(JSON.parse(stored));
  } catch {
    return stored;
  }
}
