// Import directions (docs/architecture.md). Each layer may import itself and what is below it; `app.ts`
// holds types only and stands beside the layers.
const layers = [
  [
    'routes',
    'web-server',
    'workers',
    'compose.server.ts',
    'root.tsx',
    'entry.server.tsx',
    'entry.client.tsx',
  ],
  ['admin', 'site'],
  ['backup', 'content', 'operations', 'time-travel'],
  ['publishing'],
  ['search'],
  ['posts', 'taxonomy', 'feeds', 'releases'],
  ['auth', 'media'],
  ['mail'],
  ['settings'],
  ['platform', 'ui'],
];

/** Regular expression for any of these modules below app/. */
const inModules = (modules) =>
  `^app/(${modules.map((module) => module.replaceAll('.', '\\.')).join('|')})(/|$)`;

const layerRules = layers.slice(1).map((modules, index) => ({
  name: `layer-${modules.join('-')}`,
  severity: 'error',
  comment: 'A module imports only its own layer and the layers below.',
  from: { path: inModules(modules) },
  to: { path: [inModules(layers.slice(0, index + 1).flat()), '^bin/'] },
}));

const remixModules = [
  ...['routes', 'routes.ts', 'root.tsx', 'entry.server.tsx', 'entry.client.tsx'],
  ...['admin', 'site', 'ui', 'auth', 'web-server', 'compose.server.ts'],
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Modules that need each other at runtime are one module. Types alone do not count.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'app-is-types-only',
      severity: 'error',
      comment: 'app.ts says what an App is; compose.server.ts makes one.',
      from: { path: '^app/app\\.ts$' },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'remix-in-entry-points',
      severity: 'error',
      comment: 'Everything else runs under bin unchanged.',
      from: { path: '^(app|bin)/', pathNot: inModules(remixModules) },
      to: { path: 'node_modules/@remix-run/' },
    },
    {
      name: 'prisma-in-platform',
      severity: 'error',
      comment: 'Modules get the database from app.db and its types from platform/database.server.ts.',
      from: { path: '^(app|bin)/', pathNot: '^app/platform/' },
      to: { path: ['node_modules/@prisma/', '^prisma/'] },
    },
    {
      name: 'plain-files-are-pure',
      severity: 'error',
      comment:
        'Only .server.ts files use the database, the disk, the network or secrets. Routes and screens are split by Remix.',
      from: {
        path: '^app/.*\\.tsx?$',
        pathNot: ['\\.server\\.tsx?$', '^app/(routes|web-server)/', '^app/(root|entry\\.server)\\.tsx$'],
      },
      to: { path: '\\.server\\.tsx?$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'plain-files-need-no-node',
      severity: 'error',
      comment: 'A plain file runs anywhere, in a browser too.',
      from: {
        path: '^app/.*\\.tsx?$',
        pathNot: ['\\.server\\.tsx?$', '^app/(routes|web-server)/', '^app/(root|entry\\.server)\\.tsx$'],
      },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-test-code',
      severity: 'error',
      from: { path: '^(app|bin)/' },
      to: { path: '^tests/' },
    },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      comment: 'A production install has no devDependencies. The route map is read at build time only.',
      from: { path: '^(app|bin)/', pathNot: ['^app/routes\\.ts$', '^bin/[^/]+\\.mjs$'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '/@types/' },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      from: { path: '^(app|bin)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'Packages that are types alone (hast, mdast) have nothing to resolve.',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(hast|mdast|unist)$' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^prisma/.*/generated/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
};
