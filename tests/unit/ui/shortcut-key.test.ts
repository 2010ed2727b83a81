import { expect, it } from 'vitest';
import { pageActionOf, toolOf } from '#app/admin/editor/live/base/tools.ts';
import { shortcutKey } from '#app/ui/keys.ts';

const press = { ctrlKey: true, metaKey: false, shiftKey: false, altKey: false };

it('a key is the letter that it types, or that of its place where the layout has no Latin letters', () => {
  expect(shortcutKey({ key: 'S', code: 'KeyS' })).toBe('s');
  // Dvorak, Russian, Greek, Turkish.
  expect(shortcutKey({ key: 's', code: 'Semicolon' })).toBe('s');
  expect(shortcutKey({ key: 'o', code: 'KeyS' })).toBe('o');
  expect(shortcutKey({ key: 'ы', code: 'KeyS' })).toBe('s');
  expect(shortcutKey({ key: 'Σ', code: 'KeyS' })).toBe('s');
  expect(shortcutKey({ key: 'ı', code: 'KeyI' })).toBe('i');
  expect(shortcutKey({ key: '(', code: 'Digit8' })).toBe('8');
  expect(shortcutKey({ key: '/', code: 'Slash' })).toBe('/');
});

it('the shortcuts of the editor work in Russian', () => {
  expect(pageActionOf({ ...press, key: 'ы', code: 'KeyS' })).toBe('save');
  expect(pageActionOf({ ...press, shiftKey: true, key: 'А', code: 'KeyF' })).toBe('focus');
  expect(toolOf({ ...press, key: 'и', code: 'KeyB' })).toBe('bold');
});
