import { expect, test } from 'vitest';
import { messagesFor, outcomeInJson, refusalInJson } from '#app/admin/frame/json-answers.server.ts';
import { PAGE_USER_HEADER } from '#app/admin/frame/page-user-field.tsx';
import { loadWords } from '#app/admin/languages/catalogues.ts';
import { fieldError } from '#app/platform/errors.ts';
import { say } from '#app/platform/message.ts';

const wordsOf = (headers: Record<string, string>) =>
  messagesFor({
    request: new Request('http://x.invalid', { headers }),
    adminContext: { language: 'de' },
  });
const refused = fieldError('slug', say('The slug is used by “{title}”. Choose another.', { title: 'Boats' }));

test('JSON has English sentences, and those of the page for a script of the backend', async () => {
  await loadWords('de');
  expect(await refusalInJson(refused, wordsOf({})).json()).toEqual({
    errors: { slug: 'The slug is used by “Boats”. Choose another.' },
  });
  expect(await refusalInJson(refused, wordsOf({ [PAGE_USER_HEADER]: '7' })).json()).toEqual({
    errors: { slug: 'Den Slug hat „Boats“. Wählen Sie einen anderen.' },
  });
});

test('messages deep in an outcome are sentences', async () => {
  const outcome = {
    outcome: { refused: [{ id: '1', reason: say('A post has at most {most} tags.', { most: 50 }) }] },
  };
  expect(await outcomeInJson(outcome, wordsOf({})).json()).toEqual({
    outcome: { refused: [{ id: '1', reason: 'A post has at most 50 tags.' }] },
  });
});
