import path from 'node:path';
import { config } from 'dotenv';
import { defineConfig } from 'prisma/config';

config({ path: '.env.local', quiet: true });

// `prisma generate` insists on a native schema engine that it never uses and that is a download;
// any existing file satisfies it (measured with 7.10.0).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.resolve('package.json');

const url = process.env.DATABASE_URL ?? 'file:./data/dateline.db';
const side = process.env.DATELINE_PRISMA_SIDE ?? (/^postgres(ql)?:/.test(url) ? 'postgresql' : 'sqlite');

export default defineConfig({
  schema: `prisma/${side}/schema.prisma`,
  migrations: { path: `prisma/${side}/migrations` },
  datasource: { url },
});
