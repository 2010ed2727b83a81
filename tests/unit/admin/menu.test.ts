import { expect, test } from 'vitest';
import { menuOf, findScreen } from '#app/admin/enter-screen.server.ts';
import { screens } from '#app/admin/screens.server.ts';

const titlesOf = (role: string) =>
  menuOf(screens.filter(({ access }) => access !== 'everybody' && access.some((one) => one === role))).map(
    (group) => group.map(({ title }) => title),
  );

test('the menu has the screens that a role may open, in groups', () => {
  expect(titlesOf('administrator')).toEqual([
    ['Dashboard', 'Posts', 'Calendar', 'Releases', 'Time travel', 'Media', 'Trash', 'Newsletter'],
    ['Categories', 'Tags'],
    ['People', 'Appearance', 'Settings', 'Webhooks', 'System', 'Audit log'],
  ]);
  expect(titlesOf('contributor')).not.toEqual(titlesOf('administrator'));
  expect(titlesOf('contributor').at(-1)).toEqual([]);
});

test('each entry of the menu leads to its screen, and every screen below one names one of the menu', () => {
  const entries = menuOf(screens).flat();
  for (const { segments, screens: shown } of entries)
    expect(findScreen(segments.join('/'))?.screen.id, segments.join('/')).toBe(shown[0]);
  const ids = entries.map((entry) => entry.screens[0]);
  for (const screen of screens) if ('below' in screen) expect(ids).toContain(screen.below);
  expect(entries.find(({ title }) => title === 'Posts')?.screens.sort()).toEqual([
    'bulk',
    'editor',
    'mail',
    'posts',
    'previews',
    'publish',
    'revisions',
    'snippets',
  ]);
});
