import { mkdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readReadiness } from '#app/operations/readiness.server.ts';
import { drainOutbox } from '#app/search/drain.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
  await mkdir(app.env.uploadsDir, { recursive: true });
});
afterEach(() => app.close());

it('a new instance is ready although nothing has been indexed yet', async () => {
  expect(await readReadiness(app)).toMatchObject({ checks: { search: 'ok' } });
});

it('an index that should be there and is not is said to be missing until the next trigger', async () => {
  await createPost(app, { status: 'published', publishedAt: app.clock.now() });
  expect(await readReadiness(app)).toMatchObject({ status: 'degraded', checks: { search: 'missing' } });
  await drainOutbox(app, 'command');
  expect(await readReadiness(app)).toMatchObject({ checks: { search: 'ok' } });
});
