// Import directions (docs/architecture.md). Each floor may import itself and what is below it; `app.ts`
// holds types only and stands beside the floors.
const floors = [
  ['routes', 'web-server', 'compose.server.ts', 'root.tsx', 'entry.server.tsx', 'entry.client.tsx'],
  ['admin', 'site'],
  ['backup', 'content', 'operations'],
  ['publishing'],
  ['search'],
  ['posts', 'taxonomy', 'feeds'],
  ['auth', 'media'],
  ['mail'],
  ['settings'],
  ['platform', 'ui'],
];

/** Regular expression for any of these rooms below app/. */
const inRooms = (rooms) => `^app/(${rooms.map((room) => room.replaceAll('.', '\\.')).join('|')})(/|$)`;

const floorRules = floors.slice(1).map((rooms, index) => ({
  name: `floor-${rooms.join('-')}`,
  severity: 'error',
  comment: 'A room imports only its own floor and the floors below.',
  from: { path: inRooms(rooms) },
  to: { path: [inRooms(floors.slice(0, index + 1).flat()), '^bin/'] },
}));

const remixRooms = [
  ...['routes', 'routes.ts', 'root.tsx', 'entry.server.tsx', 'entry.client.tsx'],
  ...['admin', 'site', 'ui', 'auth', 'web-server', 'compose.server.ts'],
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...floorRules,
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
      name: 'remix-at-the-doors',
      severity: 'error',
      comment: 'Everything else runs under bin unchanged.',
      from: { path: '^(app|bin)/', pathNot: inRooms(remixRooms) },
      to: { path: 'node_modules/@remix-run/' },
    },
    {
      name: 'prisma-in-platform',
      severity: 'error',
      comment: 'Rooms get the database from app.db and its types from platform/database.server.ts.',
      from: { path: '^(app|bin)/', pathNot: '^app/platform/' },
      to: { path: ['node_modules/@prisma/', '^prisma/'] },
    },
    {
      name: 'plain-files-are-pure',
      severity: 'error',
      comment:
        'Only .server.ts touches database, disk, network or secrets. Routes and screens are split by Remix.',
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
