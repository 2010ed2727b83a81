import type { KnipConfig } from 'knip';

/** Dead files, exports and packages. Entry points are what something outside the code starts. */
const config: KnipConfig = {
  entry: [
    'app/routes.ts',
    'app/**/*.route.{ts,tsx}',
    'app/{root,entry.client,entry.server}.tsx',
    'app/web/main.ts',
    'app/web/worker.server.ts',
    'app/load-context.ts',
    'bin/*.mjs',
    'bin/dateline.ts',
    'prisma/*.{ts,mjs}',
    'tests/bench/**/*.{ts,mjs}',
    'tests/support/processes/*.{ts,mjs}',
    'tests/setup/*.ts',
    'tests/times.mjs',
    'tests/**/*.test.{ts,tsx}',
  ],
  project: ['{app,bin,prisma,tests}/**/*.{ts,tsx,mjs}', '*.{ts,mjs}', '!prisma/*/generated/**'],
  // Tests make mount points and pipes and a terminal, check units, and benches set a priority, with the system's own tools.
  ignoreBinaries: [
    'chrt',
    'mount',
    'umount',
    'mkfifo',
    'openssl',
    'postconf',
    'postfix',
    'promtool',
    'script',
    'strace',
    'systemd-analyze',
    'varnishd',
  ],
  // An interface is exported with the function whose parameters or result it describes.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // A route may answer GET and POST with one function.
  exclude: ['duplicates'],
};

export default config;
