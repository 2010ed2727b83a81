import { expect, test } from 'vitest';
import { measureText } from '#app/admin/editor/text/panel.tsx';

test.each([
  ['हिन्दी में लिखना', 3],
  ['Cafe\u0301 au lait', 3],
  ['ภาษาไทย', 2],
  ['សួស្តីពិភពលោក', 2],
  ['数据 and [links](https://example.org/)', 4],
])('counts the words of %s as the site does', (text, words) => {
  expect(measureText(text).words).toBe(words);
});
