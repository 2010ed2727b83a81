// Import directions (docs/architecture.md). Each layer may import itself and what is below it.
const layers = [
  ['web', 'root.tsx', 'entry.server.tsx', 'entry.client.tsx', 'routes.ts', 'load-context.ts'],
  ['admin'],
  ['site'],
  ['compose.server.ts'],
  ['app.ts'],
  ['workers'],
  ['import'],
  ['export', 'operations', 'time-travel'],
  ['backup'],
  ['publishing'],
  ['search', 'feeds', 'releases', 'effects', 'newsletter'],
  ['posts', 'people'],
  ['media', 'settings', 'ui'],
  ['platform'],
];

/** The same within a layer: its folders, top first. A folder is meant without those in it. */
const orders = {
  publishing: [
    ['trigger'],
    ['trash'],
    ['releases'],
    ['accounts', 'media', 'posts', 'settings'],
    ['terms'],
    ['post-row'],
    ['change'],
  ],
  posts: [
    ['addresses', 'history', 'previews'],
    ['terms'],
    ['lists'],
    ['fields', 'markdown', 'pictures'],
    ['.'],
  ],
  import: [
    ['run', 'checks'],
    ['ghost', 'markdown', 'others', 'wordpress'],
    ['markdown/posts'],
    ['markdown/syntax'],
    ['markdown/dialects'],
    ['html'],
    ['addresses', 'source'],
    ['media'],
    ['model'],
  ],
  'admin/editor': [
    ['page'],
    ['conflict', 'panels', 'publish-panel', 'text'],
    ['live', 'preview'],
    ['live/paste'],
    ['live/blocks'],
    ['live/media', 'live/tables'],
    ['live/base'],
    ['saving'],
    ['model'],
  ],
};

const escaped = (names) => names.map((name) => name.replaceAll('.', '\\.')).join('|');

/** Regular expression for any of these modules below app/. */
const inModules = (modules) => `^app/(${escaped(modules)})(/|$)`;

/** Regular expression for the files in any of these folders, without those in their folders. */
const inFolders = (base, folders) =>
  `^app/${base}/(${folders.map((folder) => (folder === '.' ? '' : `${folder}/`)).join('|')})[^/]+$`;

const layerRules = layers.slice(1).map((modules, index) => ({
  name: `layer-${modules.join('-')}`,
  severity: 'error',
  comment: 'A module imports only its own layer and the layers below.',
  from: { path: inModules(modules) },
  to: { path: [inModules(layers.slice(0, index + 1).flat()), '^bin/'] },
}));

const orderRules = Object.entries(orders).flatMap(([base, folders]) =>
  folders.slice(1).map((names, index) => ({
    name: `order-${base}-${names.join('-')}`.replaceAll('/', '-'),
    severity: 'error',
    comment: 'A folder imports only those beside and below it.',
    from: { path: inFolders(base, names) },
    to: { path: inFolders(base, folders.slice(0, index + 1).flat()) },
  })),
);

const remixModules = [
  ...['admin', 'site', 'ui', 'people', 'web', 'compose.server.ts'],
  ...['routes.ts', 'root.tsx', 'entry.server.tsx', 'entry.client.tsx'],
];

/** Files that run on the server only: by their name, or because nothing else loads them. */
const onServer = ['\\.(server|route)\\.tsx?$', '^app/web/', '^app/(root|entry\\.server)\\.tsx$'];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    ...orderRules,
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Modules that need each other are one module. Types count.',
      from: {},
      to: { circular: true },
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
      comment: 'Modules get the database from app.db and its types from platform/database/client.server.ts.',
      from: { path: '^(app|bin)/', pathNot: '^app/platform/' },
      to: { path: ['node_modules/@prisma/', '^prisma/'] },
    },
    {
      name: 'plain-files-are-pure',
      severity: 'error',
      comment:
        'Only .server.ts files use the database, the disk, the network or secrets. Routes and screens are split by Remix.',
      from: { path: '^app/.*\\.tsx?$', pathNot: onServer },
      to: { path: '\\.server\\.tsx?$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'plain-files-need-no-node',
      severity: 'error',
      comment: 'A plain file runs anywhere, in a browser too.',
      from: { path: '^app/.*\\.tsx?$', pathNot: onServer },
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
