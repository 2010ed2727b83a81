import { dateFormat } from '#app/platform/date-format.ts';

/**
 * The bar above a page of a preview: the only element that readers' pages lack. The site's stylesheet has its styles.
 */
export function previewBar(preview: { instant: Date; now: Date; timeZone: string }): string {
  const { instant, now, timeZone } = preview;
  const format = dateFormat('en', timeZone, { dateStyle: 'full', timeStyle: 'short' });
  const words = instant > now ? 'This is the site as it will be on' : 'This is the site as it was on';
  const time = `<time datetime="${instant.toISOString()}">${format.format(instant)}</time>`;
  return `<aside id="site-preview" lang="en" aria-label="Preview">${words} ${time} (${timeZone}). Not public.</aside>`;
}
