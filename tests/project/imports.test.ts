import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

interface Violation {
  rule: { name: string };
  from: string;
  to: string;
}

/**
 * Runs dependency-cruiser as `npm run check:imports` does, which checks the product's own imports; a violation makes it
 * exit with their number.
 */
async function violations(cwd: string): Promise<Violation[]> {
  const cruiser = path.join(projectRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = path.join(projectRoot, '.dependency-cruiser.mjs');
  const args = [cruiser, '--config', config, '--output-type', 'json', 'app', 'bin'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 256 << 20 }).catch(
    (error: { stdout: string }) => error,
  );
  const { summary } = JSON.parse(stdout) as { summary: { totalCruised: number; violations: Violation[] } };
  expect(summary.totalCruised).toBeGreaterThan(1);
  return summary.violations;
}

test('the rules see an import that climbs, a circle, and a pure file that touches the disk', async () => {
  const project = await tempFolder();
  const files = {
    'package.json': JSON.stringify({ name: 'x', type: 'module', imports: { '#app/*': './app/*' } }),
    'tsconfig.json': '{"compilerOptions": {"allowImportingTsExtensions": true, "noEmit": true}}',
    'bin/main.ts': `import '#app/publishing/publish.server.ts';`,
    'app/posts/state.ts': `import { readFileSync } from 'node:fs';\nexport const read = readFileSync;`,
    'app/posts/save.server.ts': `import { publish } from '#app/publishing/publish.server.ts';\nexport const save = publish;`,
    'app/publishing/publish.server.ts': `import { save } from '#app/posts/save.server.ts';\nexport const publish = (): unknown => save;`,
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(project, file)), { recursive: true });
    await writeFile(path.join(project, file), text);
  }
  const found = new Set((await violations(project)).map(({ rule }) => rule.name));
  await rm(project, { recursive: true });
  expect(found).toEqual(new Set(['layer-posts-people', 'no-circles', 'plain-files-need-no-node']));
});
