import { beforeAll, expect, test } from 'vitest';
import { actorIn, detailsIn } from '#app/admin/audit/audit.tsx';
import { loadWords } from '#app/admin/languages/catalogues.ts';
import { wordsIn } from '#app/ui/words.ts';

beforeAll(() => loadWords('de'));

test.each([
  ['user.created', 'editor', 'Redakteur'],
  ['user.changed', 'author to editor', 'Autor → Redakteur'],
  ['user.changed', 'email a@example.org to b@example.org', 'E-Mail: a@example.org → b@example.org'],
  ['user.changed', 'editor to administrator, new password', 'Redakteur → Administrator, Neues Passwort'],
  ['user.deleted', '1 posts to no author', '1 Beitrag → Kein Autor'],
  ['category.trashed', '2 posts to News, Sport', '2 Beiträge → News, Sport'],
  ['tag.merged', 'into editor', 'in editor'],
  ['media.replaced', 'with a, in 2.png, in 3 posts', 'durch a, in 2.png, 3 Beiträge'],
  ['release.blocked', 'A post in this release was deleted.', 'Ein Beitrag dieses Releases wurde gelöscht.'],
  ['account.sessions-ended', '2', '2'],
])('%s: “%s” is read in German', (action, details, german) => {
  expect(detailsIn(wordsIn('de'), { action, details })).toBe(german);
});

test('commands and the trigger have names in German, people keep theirs', () => {
  const t = wordsIn('de');
  expect(['Command', 'Trigger', 'nobody@example.org'].map((actor) => actorIn(t, actor))).toEqual([
    'Befehl',
    'Auslöser',
    'nobody@example.org',
  ]);
});
