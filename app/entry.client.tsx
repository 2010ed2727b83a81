import { RemixBrowser } from '@remix-run/react';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { loadWords } from '#app/admin/languages/catalogues.ts';
import { rememberEarlyInput } from '#app/ui/early-input.ts';

rememberEarlyInput();
await Promise.all([pageData(), loadWords(document.documentElement.lang)]);
// Only backend pages load this; readers get no script. In one task, not as a transition: React sets a textarea back
// while it hydrates, and a form sent between two slices of a transition would carry the old text.
hydrateRoot(
  document,
  <StrictMode>
    <RemixBrowser />
  </StrictMode>,
);

/**
 * Remix decodes the page's data at its first render and throws a promise meanwhile. Inside React that suspends the
 * whole page, and an input in this moment makes React 18 give the page up (error 345).
 */
async function pageData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (decoding) {
    await decoding;
  }
}
