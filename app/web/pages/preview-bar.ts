import { instantText } from '#app/ui/instant-text.ts';

/**
 * The bar above a page of a preview: the only element that readers' pages lack. The site's stylesheet has its styles.
 */
export function previewBar(preview: { instant: Date; now: Date; timeZone: string }): string {
  const { instant, now, timeZone } = preview;
  const text = instantText(instant, { timeZone, language: 'en', style: 'full' });
  const words = instant > now ? 'This is the site as it will be on' : 'This is the site as it was on';
  const time = `<time datetime="${instant.toISOString()}">${text}</time>`;
  return `<aside id="site-preview" lang="en" aria-label="Preview">${words} ${time} (${timeZone}). Not public.</aside>`;
}
