import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';

test('every form of the backend names its page’s account, except those before the login', () => {
  const folder = path.join(projectRoot, 'app/admin');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const views = files.filter((file) => file.endsWith('.tsx') && path.dirname(file) !== 'login');
  const counts = views.map((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const count = (part: string) => text.split(part).length - 1;
    return {
      file,
      forms: count('method="post"'),
      named: count('<PageUserField />'),
      // Sent as GET, such a form puts the account into the address.
      buttonsOfGet: count('formMethod="get"'),
    };
  });
  expect(counts.filter(({ forms }) => forms > 0).length).toBeGreaterThan(20);
  expect(counts.filter(({ forms, named, buttonsOfGet }) => forms !== named || buttonsOfGet > 0)).toEqual([]);
});
