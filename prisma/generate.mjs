// Joins models.prisma with each side's header and generates both clients (npm's postinstall runs it).
// Two clients because Prisma has one provider per schema; `prisma/models.prisma` stays the only source. Calls Prisma's
// generator itself: the `prisma` command brings a studio, an embedded database and 190 MB (decision 045).
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

// The packages' ES modules name files that do not exist (7.10.0).
const require = createRequire(import.meta.url);
const { getGenerators, loadSchemaContext } = require('@prisma/internals');
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts');

const models = readFileSync(path.join(import.meta.dirname, 'models.prisma'), 'utf8');
for (const side of ['sqlite', 'postgresql']) {
  const folder = path.join(import.meta.dirname, side);
  const schema = path.join(folder, 'schema.prisma');
  writeFileSync(schema, `${readFileSync(path.join(folder, 'header.prisma'), 'utf8')}\n${models}`);
  const [generator] = await getGenerators({
    schemaContext: await loadSchemaContext({
      schemaPath: { cliProvidedPath: schema },
      printLoadMessage: false,
    }),
    registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
    skipDownload: true,
    cliCommand: 'node prisma/generate.mjs',
  });
  await generator.generate();
  generator.stop();
}
