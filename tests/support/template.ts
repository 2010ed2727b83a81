import { openDatabase } from '#app/platform/database/client.server.ts';
import { migrate } from '#app/platform/database/migrations.server.ts';
import { databaseTarget } from '#app/platform/env.server.ts';
import { seedSettings } from '#app/settings/seed.server.ts';
import { fakeClock } from './clock.ts';

/** Prepares a new database as `db:migrate` and `db:seed` do. */
export async function prepareTemplate(url: string): Promise<void> {
  const target = databaseTarget(url);
  await migrate(target);
  const db = await openDatabase(target);
  await seedSettings({ db, clock: fakeClock() });
  await db.$disconnect();
}
