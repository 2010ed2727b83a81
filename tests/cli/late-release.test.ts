// Both commands fail for a release that is late; what they print has no field for it.
import { expect, it } from 'vitest';
import { byCommand } from '#app/auth/audit.server.ts';
import { createRelease } from '#app/publishing/edit-release.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';

it.each(['posts:status', 'releases:status'])(
  '%s names the release that is late, and its time',
  async (name) => {
    const app = await createTestApp({ dialect: 'sqlite' });
    try {
      const plan = async (title: string, publishAt: Date) => {
        const soon = new Date(app.clock.now().getTime() + 60_000);
        const release = { name: title, publishAt: soon, step: 'schedule', by: byCommand } as const;
        const { id } = await createRelease(app, release);
        // Commands have the real clock.
        await app.db.release.update({ where: { id }, data: { publishAt } });
      };
      const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
      const lateAt = minutesAgo(20);
      await plan('Autumn', lateAt);
      await plan('Winter', minutesAgo(5));
      const { code, stderr } = await runCommand([name], { env: app.variables });
      expect(code).toBe(1);
      expect(stderr).toContain(`The release “Autumn” was due at ${lateAt.toISOString()}.`);
      expect(stderr).not.toContain('Winter');
    } finally {
      await app.close();
    }
  },
);
