import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';

let app: TestApp;
beforeAll(async () => void (app = await createTestApp()));
afterAll(() => app?.close());

let run = 0;
/** The times of the imported posts by the ends of their slugs, and the warnings. */
async function timesOf(
  files: Record<string, string>,
  options: { from?: 'markdown'; permalink?: string } = {},
) {
  run += 1;
  // Pelican takes the slug from the title, others from the file's name.
  const named = Object.entries(files).map(([name, text]) => {
    const [, slug = ''] = /(\w+)\.md$/.exec(name) ?? [];
    return [name.replace(/\.md$/, `-${run}.md`), text.replace('title: x', `title: ${slug}-${run}`)];
  });
  const input = await folderWith(Object.fromEntries(named) as Record<string, string>);
  const { warnings } = await importResult(app, { from: 'markdown', input, ...options });
  const rows = await app.db.post.findMany({
    where: { slug: { endsWith: `-${run}` } },
    include: { redirects: true },
  });
  const times = rows.map(({ slug, publishedAt }) => [slug.replace(/-\d+$/, ''), publishedAt?.toISOString()]);
  const paths = rows.flatMap(({ redirects }) =>
    redirects.map(({ path }) => path.replace(/-\d+(?=\D*$)/, '')),
  );
  return { times: Object.fromEntries(times) as Record<string, string | undefined>, warnings, paths };
}
const post = (date: string, more = '') => `---\ntitle: x\ndate: ${date}\n${more}---\nx`;

test.each([
  ['hexo', '_config.yml', 'timezone: Asia/Shanghai', 'source/_posts/', '2021-09-01T23:00:00.000Z'],
  ['hugo', 'hugo.toml', 'timeZone = "Asia/Tokyo"', 'content/posts/', '2021-09-01T22:00:00.000Z'],
  ['hugo', 'hugo.yaml', 'timezone: Asia/Tokyo', 'content/posts/', '2021-09-01T22:00:00.000Z'],
  [
    'hugo',
    'config/_default/hugo.toml',
    'timeZone = "Asia/Tokyo"',
    'content/posts/',
    '2021-09-01T22:00:00.000Z',
  ],
  [
    'hugo',
    'config.json',
    '{"baseURL": "/", "TIMEZONE": "Asia/Tokyo"}',
    'content/posts/',
    '2021-09-01T22:00:00.000Z',
  ],
  ['jekyll', '_config.yml', 'timezone: America/New_York', '_posts/', '2021-09-02T11:00:00.000Z'],
  ['pelican', 'pelicanconf.py', "TIMEZONE = 'Europe/Paris'", 'content/', '2021-09-02T05:00:00.000Z'],
])('%s: the time zone of %s counts (%s)', async (_dialect, file, line, folder, expected) => {
  const { times, warnings } = await timesOf({
    [file]: `${line}\n`,
    [`${folder}local.md`]: post('2021-09-02 07:00:00'),
    [`${folder}offset.md`]: post('2021-09-02 07:00:00 +02:00'),
    [`${folder}utc.md`]: post('2021-09-02T07:00:00Z'),
  });
  expect(times).toEqual({
    local: expected,
    offset: '2021-09-02T05:00:00.000Z',
    utc: '2021-09-02T07:00:00.000Z',
  });
  expect(warnings).toEqual([expect.stringMatching(/^Times without an offset were read in [A-Z]\w+\/\w+/)]);
});

test('days, changes and archive times are in that zone, and clock changes count', async () => {
  const { times } = await timesOf({
    '_config.yml': 'timezone: Europe/Berlin\n',
    '_posts/2021-07-01-summer.md': '---\ntitle: x\n---\nx',
    '_posts/winter.md': post('2021-01-01 12:00'),
  });
  expect(times).toEqual({ summer: '2021-06-30T22:00:00.000Z', winter: '2021-01-01T11:00:00.000Z' });
});

test('old addresses have the day of that zone', async () => {
  const { paths } = await timesOf({
    '_config.yml': 'timezone: America/New_York\npermalink: /:year/:month/:day/:title.html\n',
    '_posts/2021-09-02-late.md': post('2021-09-02 23:30:00'),
  });
  expect(paths).toContainEqual(expect.stringMatching(/^\/2021\/09\/02\/late/));
});

test('a language of Hugo may have a zone of its own', async () => {
  const { times } = await timesOf({
    'hugo.toml':
      'timeZone = "Europe/Berlin"\n[languages.en]\n[languages.ja]\ntimeZone = "Asia/Tokyo"\ncontentDir = "content/ja"\n',
    'content/posts/main.md': post('2021-01-02T07:00:00'),
    'content/ja/posts/other.md': post('2021-01-02T07:00:00'),
  });
  expect(times).toEqual({ main: '2021-01-02T06:00:00.000Z', other: '2021-01-01T22:00:00.000Z' });
});

test.each(['Middle/Earth', '+09:00', '9'])('a zone that nobody knows, %s, is a warning', async (zone) => {
  const { times, warnings } = await timesOf({
    '_config.yml': `timezone: "${zone}"\n`,
    '_posts/a.md': post('2021-09-02 07:00:00'),
  });
  expect(times).toEqual({ a: '2021-09-02T07:00:00.000Z' });
  expect(warnings).toEqual([expect.stringContaining(`“${zone}”`)]);
});

test('the same zone as this site’s, and none, say nothing', async () => {
  for (const line of ['timezone: UTC', 'timezone:', 'title: x'])
    expect(
      await timesOf({ '_config.yml': `${line}\n`, '_posts/a.md': post('2021-09-02 07:00:00') }),
    ).toMatchObject({ times: { a: '2021-09-02T07:00:00.000Z' }, warnings: [] });
});

test('addresses of Ghost have the day of its time zone', async () => {
  const row = {
    ...{ id: '1', uuid: 'u-zone', title: 'Zone', slug: 'in-a-zone', html: '<p>x</p>', status: 'published' },
    ...{ published_at: '2021-09-01T23:30:00.000Z', visibility: 'public' },
  };
  const settings = [{ key: 'timezone', value: 'Asia/Tokyo' }];
  const input = await folderWith({
    'g.json': JSON.stringify({ db: [{ data: { posts: [row], settings } }] }),
    'routes.yaml': 'collections:\n  /:\n    permalink: /{year}/{month}/{day}/{slug}/\n',
  });
  const options = { from: 'ghost' as const, input: `${input}/g.json`, routes: `${input}/routes.yaml` };
  expect((await importResult(app, options)).skipped).toEqual([]);
  const { publishedAt, redirects } = await app.db.post.findUniqueOrThrow({
    where: { slug: 'in-a-zone' },
    include: { redirects: true },
  });
  expect(publishedAt?.toISOString()).toBe('2021-09-01T23:30:00.000Z');
  expect(redirects.map(({ path }) => path)).toContain('/2021/09/02/in-a-zone');
});
