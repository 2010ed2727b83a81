import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { instantText, PastTime } from '#app/ui/time.tsx';

const now = new Date('2026-03-10T12:00:00Z');

function shown(instant: string, { language = 'en-GB', timeZone = 'UTC', withTime = false } = {}): string {
  const html = renderToStaticMarkup(createElement(PastTime, { instant, now, language, timeZone, withTime }));
  return html.replace(/<[^>]*>/g, '');
}

it('says how long ago something of today was, and the date of an earlier day', () => {
  expect(shown('2026-03-10T11:59:30Z')).toBe('now');
  expect(shown('2026-03-10T11:52:00Z')).toBe('8 min ago');
  expect(shown('2026-03-10T11:52:00Z', { language: 'de' })).toBe('vor 8 Min.');
  expect(shown('2026-03-10T00:10:00Z')).toBe('11 hr ago');
  expect(shown('2026-03-09T23:50:00Z')).toBe('9 Mar 2026');
  expect(shown('2026-03-09T23:50:00Z', { withTime: true })).toBe('9 Mar 2026, 23:50');
  expect(shown('2026-03-11T08:00:00Z')).toBe('11 Mar 2026, 08:00');
});

it('knows a day in the zone of the site, and has the full time as its title', () => {
  expect(shown('2026-03-09T23:50:00Z', { timeZone: 'Europe/Berlin' })).toBe('12 hr ago');
  const options = { instant: '2026-03-09T10:00:00Z', now, language: 'en-GB', timeZone: 'UTC' };
  const title = instantText(new Date(options.instant), { ...options, style: 'full' });
  expect(title).toContain('Monday');
  expect(renderToStaticMarkup(createElement(PastTime, options))).toBe(
    `<time dateTime="2026-03-09T10:00:00.000Z" title="${title}">9 Mar 2026</time>`,
  );
});
