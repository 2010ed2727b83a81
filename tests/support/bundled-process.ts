import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '#app/platform/project.server.ts';
import { atFileEnd } from './file-end.ts';

const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a script of `tests/support/processes` with the product's code, once for a test file: from source each start
 * takes another 1.3 s of processor time.
 * @returns its path for `startScript`
 */
export function bundledProcess(name: string): Promise<string> {
  const bundle = bundles.get(name) ?? bundleProcess(name);
  bundles.set(name, bundle);
  return bundle;
}

atFileEnd(async () => {
  const files = await Promise.all(bundles.values());
  bundles.clear();
  for (const file of files) await rm(path.dirname(file), { recursive: true, force: true });
});

async function bundleProcess(name: string): Promise<string> {
  // Within the project, where it finds packages and migrations.
  const cache = path.join(projectRoot, 'tests/.cache');
  await mkdir(cache, { recursive: true });
  const outdir = await mkdtemp(path.join(cache, `${name}-`));
  await build({
    absWorkingDir: projectRoot,
    entryPoints: [`tests/support/processes/${name}.mjs`],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    jsx: 'automatic',
    logLevel: 'warning',
  });
  return path.join(outdir, `${name}.mjs`);
}
