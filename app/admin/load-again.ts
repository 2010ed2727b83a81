const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Loads code until it is there. Each wait is twice as long as the one before, up to a minute: a tab that is left open
 * while the server is away, or after an upgrade has removed the file, must not ask for it every few seconds for ever.
 * Only the first failure is logged.
 */
export async function loadAgain<Code>(load: () => Promise<Code>): Promise<Code> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS))
    try {
      return await load();
    } catch (error) {
      // In a browser: nothing else records why the screen stays a plain form.
      // oxlint-disable-next-line no-console
      if (waitMs === FIRST_WAIT_MS) console.warn('Code of this page cannot be loaded. Trying again:', error);
      await new Promise((done) => setTimeout(done, waitMs));
    }
}
