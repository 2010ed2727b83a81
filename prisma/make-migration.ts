// Development tool: `npm run db:make-migration -- <name>` writes the SQL from the last
// migration to `models.prisma`, for both databases, into folders of the same name. Read it before you commit it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '#app/platform/database/migrations.server.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { migrationSql } from './migration-sql.ts';

const name = process.argv[2];
if (!name || !/^[a-z0-9_]+$/.test(name)) {
  console.error('Usage: npm run db:make-migration -- <name_with_underscores>');
  process.exit(2);
}
const folder = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}_${name}`;
const scratch = await mkdtemp(path.join(tmpdir(), 'dateline-migration-'));
const postgres = await startPostgres();
try {
  await write('sqlite', `file:${path.join(scratch, 'scratch.db')}`);
  await write('postgresql', postgres.urlOf('postgres'));
} finally {
  await postgres.stop();
  await rm(scratch, { recursive: true });
}

async function write(side: 'sqlite' | 'postgresql', url: string) {
  await migrate(url);
  const sql = await migrationSql(url);
  const target = path.join(import.meta.dirname, side, 'migrations', folder);
  await mkdir(target, { recursive: true });
  await writeFile(path.join(target, 'migration.sql'), sql);
  console.log(path.join(target, 'migration.sql'));
}
