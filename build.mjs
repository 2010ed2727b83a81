// `npm run build`: the Remix build (client and server), then one bundle each for the web server and the
// commands. Packages stay outside the bundles; generated Prisma clients are inside.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';

const root = import.meta.dirname;
execFileSync(process.execPath, [path.join(root, 'prisma/generate.mjs')], { cwd: root, stdio: 'inherit' });
execFileSync(
  process.execPath,
  [path.join(root, 'node_modules/@remix-run/dev/dist/cli.js'), 'vite:build', '--logLevel', 'warn'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
);
await build({
  absWorkingDir: root,
  entryPoints: { 'bin/dateline': 'bin/dateline.ts', 'web-server': 'app/web-server/main.ts' },
  outdir: 'build',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  jsx: 'automatic',
  logLevel: 'warning',
});
