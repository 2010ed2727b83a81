import { expect, test } from 'vitest';
import { createTestApp } from '#tests/support/app.ts';
import { startServer } from '#tests/support/server.ts';

test.each([32, 64, 96])('under `ulimit -n %d` a start ends with one clear line, or serves', async (limit) => {
  const app = await createTestApp();
  try {
    const script = 'tests/support/processes/few-files.mjs';
    const started = await startServer({ env: app.variables, script, args: [String(limit)] }).catch(String);
    if (typeof started === 'string')
      expect(started.trimEnd().split('\n').slice(1)).toEqual([
        'The process may not open enough files (EMFILE). Allow at least 1024: ulimit -n 1024',
      ]);
    else {
      expect((await started.client().get('/archive')).status).toBe(200);
      await started.stop();
    }
  } finally {
    await app.close();
  }
});
