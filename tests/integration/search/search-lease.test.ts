// The lease of whoever writes to the search index.
import { expect, it } from 'vitest';
import { takeLease } from '#app/search/outbox.server.ts';
import { describeWithApp } from '#tests/support/app.ts';

describeWithApp('the lease of the search index', (getApp) => {
  it.each(['2026-11-20T08:00:00.000Z', '1969-12-31T23:59:00.000Z', '1960-01-01T00:00:00.000Z'])(
    'is free after its release and not before, at %s',
    async (now) => {
      const app = getApp();
      app.clock.set(now);
      const lease = await takeLease(app);
      expect(await takeLease(app)).toBeNull();
      await lease!.release();
      expect(await takeLease(app)).not.toBeNull();
    },
  );
});
