import { type Tampering, swapText } from './spoilt-backup.ts';

/** Rows that were changed, with checksums that fit. */
export const rowTamperings: Tampering[] = [
  ['a row twice', (b) => b.rows('tags', (rows) => [rows[0]!, ...rows]), 'tables/tags.jsonl, line 2', /twice/],
  [
    'rows in another order',
    (b) => b.rows('tags', (rows) => void rows.reverse()),
    'tables/tags.jsonl, line 2',
    /not in order/,
  ],
  [
    'a slug twice',
    (b) => b.rows('tags', (rows) => void (rows[1]!.slug = rows[0]!.slug!)),
    'tables/tags.jsonl, line 2',
    /slug of another row/,
  ],
  [
    'an author that is nowhere',
    (b) => b.rows('posts', (rows) => void (rows[0]!.author_id = 'nobody')),
    'tables/posts.jsonl, line 1',
    /"author_id" names a row that users does not have/,
  ],
  [
    'a tag that is nowhere',
    (b) => b.rows('post_tags', (rows) => void (rows[0]!.tag_id = 'none')),
    'tables/post_tags.jsonl, line 1',
    /"tag_id"/,
  ],
  [
    'a slug that is a path',
    (b) => b.rows('tags', (rows) => void (rows[0]!.slug = 'admin/../x')),
    'tables/tags.jsonl, line 1',
    /"slug" is not a slug/,
  ],
  [
    'a category’s slug that is a path',
    (b) => b.rows('categories', (rows) => void (rows[0]!.slug = '../x')),
    'tables/categories.jsonl, line 1',
    /"slug" is not a slug/,
  ],
  [
    'a post’s slug that is a path',
    (b) => b.rows('posts', (rows) => void (rows[0]!.slug = 'admin/../x')),
    'tables/posts.jsonl, line 1',
    /"slug" is not a slug or/,
  ],
  [
    'a page’s path that leads up',
    (b) => b.rows('posts', (rows) => void (rows[0]!.slug = '/a/../b')),
    'tables/posts.jsonl, line 1',
    /"slug" is not a slug or/,
  ],
  [
    'a slug with a line end',
    (b) => b.rows('posts', (rows) => void (rows[0]!.slug = 'a\nb')),
    'tables/posts.jsonl, line 1',
    /"slug" is not a slug or/,
  ],
  [
    'a title that no form takes',
    (b) => b.rows('posts', (rows) => void (rows[0]!.title = 'x'.repeat(301))),
    'tables/posts.jsonl, line 1',
    /"title" cannot be stored: Title is too long/,
  ],
  [
    'a canonical address that is a script',
    (b) => b.rows('posts', (rows) => void (rows[0]!.canonical_url = 'javascript:alert(1)')),
    'tables/posts.jsonl, line 1',
    /"canonical_url" cannot be stored/,
  ],
  [
    'a language that is none',
    (b) => b.rows('posts', (rows) => void (rows[0]!.language = '"><script>')),
    'tables/posts.jsonl, line 1',
    /"language" cannot be stored/,
  ],
  [
    'a tag without a name',
    (b) => b.rows('tags', (rows) => void (rows[0]!.name = ' ')),
    'tables/tags.jsonl, line 1',
    /"name" cannot be stored: Name is required/,
  ],
  [
    'a picture of a tag elsewhere',
    (b) => b.rows('tags', (rows) => void (rows[0]!.picture = '/uploads/../x.png')),
    'tables/tags.jsonl, line 1',
    /"picture" cannot be stored/,
  ],
  [
    'a username that is a path',
    (b) => b.rows('users', (rows) => void (rows[0]!.username = '../x')),
    'tables/users.jsonl, line 1',
    /"username" is not a slug/,
  ],
  [
    'an account without an email address',
    (b) => b.rows('users', (rows) => void (rows[0]!.email = ' ')),
    'tables/users.jsonl, line 1',
    /"email" cannot be stored: Email is required/,
  ],
  [
    'a setting that its form refuses',
    (b) =>
      b.rows('settings', () => [
        { key: 'posts_per_page', value: 'many', updated_at: '2026-11-20T08:00:00.000Z' },
      ]),
    'tables/settings.jsonl, line 1',
    /the setting posts_per_page is not valid/,
  ],
  [
    'a redirect from another site',
    (b) =>
      b.rows('redirects', () => [
        {
          path: 'https://x.example/',
          ...{ post_id: null, category_id: null, tag_id: null },
          created_at: '2026-11-20T08:00:00.000Z',
        },
      ]),
    'tables/redirects.jsonl, line 1',
    /"path" is not a path on the site/,
  ],
  [
    'an unknown column',
    (b) => b.rows('posts', (rows) => void (rows[0]!.extra = 1)),
    'tables/posts.jsonl, line 1',
    /"extra" is unknown/,
  ],
  [
    'a missing column',
    (b) => b.rows('posts', (rows) => void Reflect.deleteProperty(rows[0]!, 'title')),
    'tables/posts.jsonl, line 1',
    /"title" is missing/,
  ],
  [
    'a text that is a number',
    (b) => b.rows('posts', (rows) => void (rows[0]!.title = 5)),
    'tables/posts.jsonl, line 1',
    /"title" is not text/,
  ],
  [
    'a text that is null',
    (b) => b.rows('posts', (rows) => void (rows[0]!.body = null)),
    'tables/posts.jsonl, line 1',
    /"body" is not text/,
  ],
  [
    'a number that is huge',
    (b) => b.rows('posts', (rows) => void (rows[0]!.version = 2 ** 31)),
    'tables/posts.jsonl, line 1',
    /"version" is not a whole number of 32 bits/,
  ],
  [
    'a number that is a fraction',
    (b) => b.rows('posts', (rows) => void (rows[0]!.version = 1.5)),
    'tables/posts.jsonl, line 1',
    /"version"/,
  ],
  [
    'a number beyond all',
    (b) => b.bytes('tables/posts.jsonl', swapText('"version":1', '"version":1e400')),
    'tables/posts.jsonl, line 1',
    /"version"/,
  ],
  [
    'a truth that is a number',
    (b) => b.rows('posts', (rows) => void (rows[0]!.has_been_public = 1)),
    'tables/posts.jsonl, line 1',
    /"has_been_public"/,
  ],
  [
    'a time that is none',
    (b) => b.rows('posts', (rows) => void (rows[0]!.created_at = '2026-02-30T00:00:00.000Z')),
    'tables/posts.jsonl, line 1',
    /"created_at" is not a time/,
  ],
  [
    'a time in another zone',
    (b) => b.rows('posts', (rows) => void (rows[0]!.created_at = '2026-02-20T00:00:00.000+01:00')),
    'tables/posts.jsonl, line 1',
    /"created_at" is not a time/,
  ],
  [
    'a time past all years',
    (b) => b.rows('posts', (rows) => void (rows[0]!.created_at = '+010000-01-01T00:00:00.000Z')),
    'tables/posts.jsonl, line 1',
    /"created_at" is not a time/,
  ],
  [
    'an unknown state',
    (b) => b.rows('posts', (rows) => void (rows[0]!.status = 'secret')),
    'tables/posts.jsonl, line 1',
    /"status" is none of/,
  ],
  [
    'an unknown role',
    (b) => b.rows('users', (rows) => void (rows[0]!.role = 'god')),
    'tables/users.jsonl, line 1',
    /"role" is none of/,
  ],
  [
    'a stored file outside the folder',
    (b) => b.rows('media', (rows) => void (rows[0]!.path = '../../etc/passwd')),
    'tables/media.jsonl, line 1',
    /"path" is not a path below/,
  ],
  [
    'a variant outside the folder',
    (b) => b.rows('media', (rows) => void (rows[0]!.variants = '[{"path":"../x","bytes":1}]')),
    'tables/media.jsonl, line 1',
    /"variants"/,
  ],
  [
    'a NUL in a text',
    (b) => b.rows('posts', (rows) => void (rows[0]!.title = 'a\0b')),
    'tables/posts.jsonl, line 1',
    /cannot|no database/,
  ],
  [
    'half a surrogate pair',
    (b) => b.bytes('tables/posts.jsonl', swapText('"excerpt":""', '"excerpt":"\\ud800"')),
    'tables/posts.jsonl, line 1',
    /"excerpt"/,
  ],
  [
    'bytes that are no UTF-8',
    (b) =>
      b.bytes('tables/posts.jsonl', (content) =>
        Buffer.concat([content.subarray(0, -3), Buffer.from([0xc3, 0x28]), content.subarray(-3)]),
      ),
    'tables/posts.jsonl, line 2',
    /UTF-8/,
  ],
  [
    'a table with a byte order mark',
    (b) => b.bytes('tables/tags.jsonl', (content) => Buffer.concat([Buffer.from('\ufeff'), content])),
    'tables/tags.jsonl, line 1',
    /JSON/,
  ],
  [
    'a table with other line ends',
    (b) => b.bytes('tables/tags.jsonl', swapText('\n', '\r\n')),
    'tables/tags.jsonl, line 1',
    /written/,
  ],
  [
    'a table without its last line end',
    (b) => b.bytes('tables/tags.jsonl', (content) => content.subarray(0, -1)),
    'tables/tags.jsonl',
    /last line has no end/,
  ],
  [
    'an empty line',
    (b) => b.bytes('tables/tags.jsonl', (content) => Buffer.concat([Buffer.from('\n'), content])),
    'tables/tags.jsonl, line 1',
    /JSON/,
  ],
  [
    'a space in a line',
    (b) => b.bytes('tables/tags.jsonl', swapText('{', '{ ')),
    'tables/tags.jsonl, line 1',
    /written/,
  ],
  [
    'a doubled column',
    (b) => b.bytes('tables/tags.jsonl', swapText('{"id"', '{"id":"x","id"')),
    'tables/tags.jsonl, line 1',
    /written/,
  ],
  [
    'a line that is a list',
    (b) => b.bytes('tables/tags.jsonl', () => Buffer.from('[]\n')),
    'tables/tags.jsonl, line 1',
    /not an object/,
  ],
  [
    'a redacted setting that is no secret',
    (b) =>
      b.rows('settings', (rows) => [
        { key: 'admin_path', redacted: true, updated_at: rows[0]!.updated_at! },
        ...rows.slice(1),
      ]),
    'tables/settings.jsonl, line 1',
    /not a secret/,
  ],
  [
    'a secret that says it is redacted but is not',
    (b) =>
      b.rows(
        'settings',
        (rows) =>
          void Object.assign(
            rows.find(({ key }) => key === 'site_title')!,
            { key: 'smtp_password' },
          ),
      ),
    'tables/settings.jsonl',
    /plain text|not in order/,
  ],
  [
    'a redacted row in another table',
    (b) => b.rows('tags', (rows) => [{ redacted: true }, ...rows]),
    'tables/tags.jsonl, line 1',
    /unknown|missing/,
  ],
];
