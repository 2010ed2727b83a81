// Joins models.prisma with each side's header and generates both clients (npm's postinstall runs it).
// Two clients because Prisma has one provider per schema; `prisma/models.prisma` stays the only source.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const cli = path.join(root, 'node_modules/prisma/build/index.js');

// A production install without devDependencies runs the bundles, which hold the generated clients.
if (!existsSync(cli)) process.exit(0);

const models = readFileSync(path.join(root, 'prisma/models.prisma'), 'utf8');
for (const side of ['sqlite', 'postgresql']) {
  const header = readFileSync(path.join(root, `prisma/${side}/header.prisma`), 'utf8');
  writeFileSync(path.join(root, `prisma/${side}/schema.prisma`), `${header}\n${models}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
    cwd: root,
    env: { ...process.env, DATELINE_PRISMA_SIDE: side },
    encoding: 'utf8',
  });
  if (status !== 0) {
    process.stderr.write(stdout + stderr);
    process.exit(1);
  }
}
