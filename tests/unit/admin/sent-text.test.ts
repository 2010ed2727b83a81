// A save whose answer got lost is the page's own only if the server has all that was sent.
import { expect, it } from 'vitest';
import { digestOfSent, hasSentText, isSentByButton } from '#app/admin/editor/saving/sent-text.ts';

const stored = {
  title: 'Tides',
  slug: 'tides',
  body: 'Text.\nMore.',
  excerpt: '',
  tags: 'Sea, Coast',
  categoryId: 'a',
  publishedAt: '2026-03-01T10:00',
  archiveAt: '',
};
const sent = { ...stored, version: '1', intent: 'autosave', releaseId: '' };
const hasIt = (now: object, was: object = sent) =>
  hasSentText([digestOfSent({ ...sent, title: 'Earlier' }), digestOfSent({ ...sent, ...was })], {
    ...stored,
    ...now,
  });

it('the server has what was sent', () => {
  expect(hasIt({})).toBe(true);
  expect(hasIt({ title: 'Earlier' })).toBe(true);
  // As it stores them.
  expect(hasIt({}, { body: ' Text.\r\nMore.\r\n', tags: 'sea,Coast', slug: '' })).toBe(true);
  expect(hasIt({ title: 'Untitled' }, { title: '' })).toBe(true);
  // The server has made a new slug from the title.
  expect(hasIt({ slug: 'ebb' })).toBe(true);
  // Fields that the form lacks stay as they are.
  expect(hasIt({ seoTitle: 'For searches' })).toBe(true);
});

it.each([
  { title: 'Ebb' },
  { tags: 'Sea' },
  { categoryId: '' },
  { publishedAt: '2026-03-01T14:00' },
  { archiveAt: '2027-03-01T10:00' },
  { excerpt: 'Short' },
])('another value may be of somebody else: %j', (change) => {
  expect(hasIt(change)).toBe(false);
});

it('a digest of the three long fields, as earlier pages have stored it, is not enough', () => {
  expect(hasSentText(['12-abc'], stored)).toBe(false);
  expect(hasSentText([], stored)).toBe(false);
});

it('the server chooses the time of a button', () => {
  const draft = { ...stored, publishedAt: '' };
  const published = digestOfSent({ ...draft, intent: 'publish' });
  expect(hasSentText([published], stored)).toBe(true);
  expect(hasSentText([published], { ...stored, tags: 'Sea' })).toBe(false);
  expect(hasSentText([digestOfSent({ ...draft, intent: 'save' })], stored)).toBe(false);
  // A copy on the device of what the button sent.
  expect(isSentByButton(draft, [published], stored)).toBe(true);
  expect(isSentByButton({ ...draft, body: 'Text.\nMore. And on.' }, [published], stored)).toBe(false);
  expect(isSentByButton(draft, [digestOfSent({ ...draft, intent: 'autosave' })], stored)).toBe(false);
});
