import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: projectRoot, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '');
const textOf = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const binary = /\.(png|jpe?g|gif|webp|avif|ico|woff2?|ttf|zip|gz|db)$/i;
const texts = tracked.filter((file) => !binary.test(file)).map((file) => ({ file, text: textOf(file) }));

/** Every line of a tracked file that matches, as `file:line: what`. */
function findings(pattern: RegExp, among = texts): string[] {
  return among.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, index) => {
      const match = pattern.exec(line);
      return match ? [`${file}:${index + 1}: ${match[0]}`] : [];
    }),
  );
}

test('the files of the project are read', () => {
  expect(texts.length).toBeGreaterThan(100);
});

test.each([
  [
    'time comes from app.clock.now(), so that a test can set it',
    /^(app|bin)\/(?!platform\/)/,
    /new Date\(\)|new Date\b(?!\()|Date\.now\b/,
  ],
  // The server and the Remix build are two bundles with two copies of the class.
  ['an AppError is recognised by isAppError()', /^(app|bin)\//, /instanceof AppError\b/],
  // The bundles would contain all of zod.
  ["zod is imported as `import * as z from 'zod'`", /^(app|bin)\//, /import \{[^}]*\bz\b[^}]*\} from 'zod'/],
])('%s', (_, folder, pattern) => {
  const sources = texts.filter(({ file }) => folder.test(file) && /\.tsx?$/.test(file));
  expect(findings(pattern, sources)).toEqual([]);
});

test('no file names a package registry', () => {
  const hosts = ['registry', 'npmmirror', 'artifactory', 'jfrog', 'verdaccio', 'nexus'].join('|');
  expect(findings(new RegExp(`https?://[^/\\s"']*\\b(${hosts})\\b[^\\s"']*`, 'i'))).toEqual([]);
  const configured = process.env.npm_config_registry;
  if (configured) {
    const host = new URL(configured).host;
    expect(texts.filter(({ text }) => text.includes(host)).map(({ file }) => file)).toEqual([]);
  }
  expect(textOf('package-lock.json')).not.toContain('"resolved"');
});

test('no file holds a path of one machine', () => {
  expect(findings(/(?<![\w.})\]/-])\/(work|root|home\/\w+|Users\/\w+)\/[\w.]/)).toEqual([]);
});

test('no file holds a secret', () => {
  expect(findings(/-----BEGIN [A-Z ]*PRIVATE KEY-----/)).toEqual([]);
  expect(findings(/\b(AKIA[0-9A-Z]{16}|gh[pousr]_\w{36}|sk_live_\w+|xox[abp]-[\w-]+|npm_\w{36})\b/)).toEqual(
    [],
  );
});

test('.env.example holds placeholders only, and no .env file is tracked', () => {
  const secrets = textOf('.env.example').match(/^(?:# )?\w*(SECRET|KEY|PASSWORD)\w*=.*$/gm) ?? [];
  expect(secrets.length).toBeGreaterThanOrEqual(3);
  for (const line of secrets) expect(line).toMatch(/='<[A-Z0-9_]+>'$/);
  // A shell would read them as redirections, and the lines below them not at all.
  expect(textOf('.env.example')).not.toMatch(/^(?!#).*=[^']*</m);
  expect(tracked.filter((file) => /(^|\/)\.env(\.(?!example$).*)?$/.test(file))).toEqual([]);
});
