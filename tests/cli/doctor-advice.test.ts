// What doctor advises when the media folder or the search engine is not there.
import path from 'node:path';
import { expect, it } from 'vitest';
import { createTestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

it('doctor says what to do about a missing media folder and a search engine that does not answer', async () => {
  const app = await createTestApp({ now: new Date() });
  const missing = path.join(await tempFolder(), 'nothing');
  const { code, json } = await runCommand(['doctor'], {
    env: {
      ...app.variables,
      UPLOADS_DIR: missing,
      SEARCH_HOST: 'http://127.0.0.1:1',
      SEARCH_API_KEY: 'a-key',
    },
  });
  expect(code).toBe(1);
  const { checks } = json<{ checks: { name: string; status: string; message: string }[] }>();
  const found = Object.fromEntries(
    checks.map(({ name, status, message }) => [name, `${status}: ${message}`]),
  );
  expect(found.media).toBe(
    `problem: The folder ${missing} cannot be read and written (ENOENT). Create it, or correct the address.`,
  );
  expect(found.search).toBe(
    'problem: Typesense does not answer: ECONNREFUSED. Check that it runs, SEARCH_HOST and SEARCH_API_KEY.',
  );
});
