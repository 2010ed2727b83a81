import { expect, test } from 'vitest';
import { importedFolder } from '#tests/support/imported-folder.ts';

const dated = (date: string) => `---\ntitle: A\ndate: ${date}\n---\nText`;

test.each([
  [
    '_config.yml',
    'timezone: America/New_York',
    '_posts/2021-09-02-a.md',
    '2021-09-02 23:30:00',
    '2021-09-03T03:30',
  ],
  ['_config.yml', 'timezone: Asia/Shanghai', 'source/_posts/a.md', '2021-09-02 07:00:00', '2021-09-01T23:00'],
  ['hugo.toml', 'timeZone = "Asia/Tokyo"', 'content/posts/a.md', '2021-09-02T07:00:00', '2021-09-01T22:00'],
  ['hugo.yaml', 'timezone: Asia/Tokyo', 'content/posts/a.md', '2021-09-02', '2021-09-01T15:00'],
  ['pelicanconf.py', "TIMEZONE = 'Europe/Paris'", 'content/a.md', '2021-09-02 07:00', '2021-09-02T05:00'],
  ['hugo.toml', 'timeZone = "Asia/Tokyo"', 'content/posts/a.md', '2021-09-02T07:00:00Z', '2021-09-02T07:00'],
  ['hugo.toml', '', 'content/posts/a.md', '2021-09-02T07:00:00', '2021-09-02T07:00'],
])('with “%s: %s” the date of %s, %s, means %s', async (name, configuration, file, date, time) => {
  const text = name === 'pelicanconf.py' ? `title: A\ndate: ${date}\n\nText` : dated(date);
  const { result, posts } = await importedFolder({ [name]: configuration, [file]: text });
  expect(posts.a!.publishedAt).toEqual(new Date(`${time}:00.000Z`));
  expect(result.warnings).toEqual([]);
});

test('an unknown time zone is said, and dates are in that of this site', async () => {
  const { result, posts } = await importedFolder({
    '_config.yml': 'timezone: Mars/Olympus',
    '_posts/2021-09-02-a.md': dated('2021-09-02 23:30:00'),
  });
  expect(posts.a!.publishedAt).toEqual(new Date('2021-09-02T23:30:00.000Z'));
  expect(result.warnings).toEqual([expect.stringContaining('“Mars/Olympus” is unknown')]);
});
