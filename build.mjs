// `npm run build` writes `build/`, a folder that runs by itself: the Remix build, bundles of the web server, its worker
// threads and the commands, the migrations and the few packages that cannot be bundled. It runs on this kind of machine
// only.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { compilePackages } from './bin/install.mjs';
import { copyPackages } from './bin/native-packages.mjs';

const root = import.meta.dirname;
const built = path.join(root, 'build');
// Becomes `build/` at the end. Until then, and where the build fails, the last one stays: a server may run from it.
const next = 'build.next';
const out = path.join(root, next);
/** Packages with machine code; everything else is in the bundles. */
const nativePackages = ['bcrypt', 'better-sqlite3', 'sharp'];

/** Writes Prisma's query compilers as files beside the bundles: in a bundle, V8 would keep their text twice. */
const compilersAsFiles = {
  name: 'compilers-as-files',
  setup({ onLoad }) {
    onLoad({ filter: /query_compiler_\w+\.\w+\.wasm-base64\.mjs$/ }, async ({ path: module }) => {
      const { wasm } = await import(pathToFileURL(module).href);
      const file = path.basename(module, '-base64.mjs');
      mkdirSync(path.join(out, 'chunks'), { recursive: true });
      writeFileSync(path.join(out, 'chunks', file), Buffer.from(wasm, 'base64'));
      // The generated client passes it to `Buffer.from`, which takes bytes too.
      const contents = `import { readFileSync } from 'node:fs';
        export const wasm = readFileSync(new URL('./${file}', import.meta.url));`;
      return { contents };
    });
  },
};

remove(out);
try {
  await makeBuild();
} catch (error) {
  // Half a build would take the room that the site's database needs.
  remove(out);
  throw error;
}
replaceBuilt();

async function makeBuild() {
  const compiled = compilePackages(root);
  // Awaited below: until then the build goes on.
  compiled.catch(() => {});
  node('prisma/generate.mjs');
  node('node_modules/@remix-run/dev/dist/cli.js', 'vite:build', '--logLevel', 'warn');
  nameFinalFolder();
  await bundle();
  for (const side of ['sqlite', 'postgresql']) copy(`prisma/${side}/migrations`);
  copy('app/site/cards/fonts');
  copy('app/settings/appearance/themes');
  const entries = [
    'run.mjs',
    'start.mjs',
    'container-start.mjs',
    'small-heap.mjs',
    'require-node.mjs',
    'version.mjs',
    'dateline',
  ];
  for (const script of entries) copy(`bin/${script}`);
  await compiled;
  copyPackages(nativePackages, root, out);
  writePackageJson();
}

/** The server build names the folder of its assets, which `remix-serve` serves. */
function nameFinalFolder() {
  const server = path.join(out, 'server');
  // Rollup puts the build into a chunk of its own where another chunk shares code with it.
  const chunks = readdirSync(path.join(server, 'assets')).filter((name) => name.startsWith('server-build-'));
  let isNamed = false;
  for (const file of ['index.js', ...chunks.map((name) => path.join('assets', name))]) {
    const text = readFileSync(path.join(server, file), 'utf8');
    if (!text.includes(`${next}/client`)) continue;
    writeFileSync(path.join(server, file), text.replaceAll(`${next}/client`, 'build/client'));
    isNamed = true;
  }
  if (!isNamed) throw new Error(`${server} does not name ${next}/client.`);
}

async function bundle() {
  await build({
    absWorkingDir: root,
    entryPoints: {
      'bin/dateline': 'bin/dateline.ts',
      'web-server': 'app/web/main.ts',
      // The entry of worker threads and of the worker process (app/workers/workers.server.ts).
      worker: 'app/web/worker.server.ts',
      // Shares its modules with the web server. This bundle also contains its packages.
      'server/index': `${next}/server/index.js`,
    },
    outdir: out,
    allowOverwrite: true,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    // The other build of css-tree reads its data from files at run time.
    alias: { 'css-tree': path.join(root, 'node_modules/css-tree/dist/csstree.esm.js') },
    // `pg` asks for `pg-native` and does without.
    external: [...nativePackages, 'pg-native'],
    plugins: [compilersAsFiles],
    platform: 'node',
    target: 'node20',
    format: 'esm',
    jsx: 'automatic',
    // V8 keeps the source in memory, with two bytes a character if a comment has one beyond Latin-1: 6 MB. Names stay,
    // and lines are short enough for a stack trace to point to the place.
    minifyWhitespace: true,
    lineLimit: 160,
    define: { 'process.env.NODE_ENV': '"production"' },
    // Packages in the CommonJS format ask for Node's own modules with `require`.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  // The bundle of `server/index` contains these files.
  rmSync(path.join(out, 'server/assets'), { recursive: true, force: true });
}

/** Name, version and scripts as in the project's; of its packages only those beside the bundles. */
function writePackageJson() {
  const { name, version, license, type, engines, scripts, dependencies } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  const runs = ([, script]) => /^node (.* )?bin\/(run|start)\.mjs/.test(script);
  const content = {
    name,
    version,
    private: true,
    license,
    type,
    engines,
    scripts: Object.fromEntries(Object.entries(scripts).filter(runs)),
    dependencies: Object.fromEntries(nativePackages.map((native) => [native, dependencies[native]])),
  };
  writeFileSync(path.join(out, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
}

function replaceBuilt() {
  const last = path.join(root, 'build.last');
  remove(last);
  if (existsSync(built)) renameSync(built, last);
  renameSync(out, built);
  remove(last);
}

function remove(folder) {
  rmSync(folder, { recursive: true, force: true });
}

function node(script, ...args) {
  execFileSync(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production', BUILD_DIRECTORY: next },
  });
}

function copy(entry) {
  mkdirSync(path.dirname(path.join(out, entry)), { recursive: true });
  cpSync(path.join(root, entry), path.join(out, entry), { recursive: true });
}
