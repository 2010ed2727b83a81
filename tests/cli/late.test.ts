// What posts:status and releases:status print has no field for what is late besides posts.
import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPost } from '#tests/support/factories.ts';

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

it('posts:status names the time of a late archiving, and fails', async () => {
  const app = await createTestApp({ dialect: 'sqlite' });
  try {
    const [soonAt, lateAt] = [minutesAgo(5), minutesAgo(20)];
    await createPost(app, { status: 'published', slug: 'soon', archiveAt: soonAt });
    expect((await runCommand(['posts:status'], { env: app.variables })).code).toBe(0);
    await createPost(app, { status: 'published', slug: 'late', archiveAt: lateAt });
    const { code, stderr } = await runCommand(['posts:status'], { env: app.variables });
    expect(code).toBe(1);
    expect(stderr).toContain(`A scheduled update or archiving was due at ${lateAt.toISOString()}.`);
  } finally {
    await app.close();
  }
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
