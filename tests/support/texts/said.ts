import { inEnglish, type MessageValue } from '#app/platform/message.ts';

/** Matches a message whose English sentence contains a text or matches a pattern. */
export function said(expected: string | RegExp) {
  return {
    asymmetricMatch(message: MessageValue): boolean {
      const sentence = inEnglish(message);
      return typeof expected === 'string' ? sentence.includes(expected) : expected.test(sentence);
    },
  };
}
