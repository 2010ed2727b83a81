import { RemixBrowser } from '@remix-run/react';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { loadWords } from '#app/admin/languages/catalogues.ts';
import { rememberEarlyInput } from '#app/ui/early-input.ts';

rememberEarlyInput();
await Promise.all([pageData(), loadWords(document.documentElement.lang)]);
// Only backend pages load this; readers get no script. Hydrates in one task, not as a transition: React resets a
// textarea while it hydrates, and a form submitted between two slices of a transition would send the old text.
hydrateRoot(
  document,
  <StrictMode>
    <RemixBrowser />
  </StrictMode>,
);

/**
 * Remix decodes the page's data at its first render and throws a promise meanwhile. Inside React that suspends the
 * whole page, and an input at this moment makes React 18 discard the page (error 345).
 */
async function pageData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (decoding) {
    await decoding;
  }
}
