// What the compiler cannot say: time that a test cannot set, output that belongs to the log. Rules that need types, such
// as promises that nobody awaits, are oxlint's (.oxlintrc.json): it checks them together with the types. So are the rules
// of React and its compiler, for which eslint compiled every component. Formatting is prettier's, import directions are
// dependency-cruiser's.
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const systemTime = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message: 'Time comes from app.clock.now(), so that a test can set it.',
  },
  {
    selector: 'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
    message: 'Time comes from app.clock.now(), so that a test can set it.',
  },
];
const comparedClasses = {
  selector: 'BinaryExpression[operator="instanceof"][right.name="AppError"]',
  message: 'The server and the Remix build are two bundles with two copies of the class: use isAppError().',
};

const wholeZod = {
  selector: 'ImportDeclaration[source.value="zod"] > ImportSpecifier[imported.name="z"]',
  message: "The bundles would contain all of zod: import * as z from 'zod'.",
};

export default defineConfig(
  globalIgnores([
    'build/',
    'build.next/',
    'build.last/',
    'coverage/',
    'data/',
    'prisma/*/generated/',
    'public/',
    'tests/.cache/',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // `!` after an index that was just checked is honest under noUncheckedIndexedAccess.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/array-type': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['../../*'], message: "Another folder is imported as '#app/…'." }] },
      ],
    },
  },
  {
    files: ['app/**/*.{ts,tsx}', 'bin/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...systemTime, comparedClasses, wholeZod] },
  },
  { files: ['app/**/*.{ts,tsx}'], rules: { 'no-console': 'error' } },
  {
    // Platform is where the clock lives.
    files: ['app/platform/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', comparedClasses, wholeZod] },
  },
  {
    files: ['**/*.mjs'],
    extends: [tseslint.configs.base],
    rules: {
      'no-undef': 'off',
      'no-unused-vars': ['error', { varsIgnorePattern: '^_' }],
      'prefer-const': 'error',
      eqeqeq: 'error',
    },
  },
);
