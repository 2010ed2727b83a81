import type { BackupRow } from '#app/backup/format/rows.ts';
import type { Tables } from './change-tables.ts';

/**
 * A fault that no checksum detects. `refused`: why no import takes the backup; `found`: its problem in a proof;
 * `unseen`: its words in backup.md without one.
 */
interface Fault {
  name: string;
  spoil(tables: Tables): void;
  refused?: RegExp;
  found?: RegExp;
  unseen?: string;
}

const post = (number: number, columns: BackupRow) => (tables: Tables) =>
  void Object.assign(
    tables.posts!.find(({ slug }) => slug === `boat-net-${number}`)!,
    columns,
  );
const setting = (key: string, value: string) => (tables: Tables) => {
  const row = tables.settings!.find((each) => each.key === key);
  if (row) row.value = value;
  else tables.settings!.push({ key, value, updated_at: at });
};
const first = (table: string, columns: BackupRow) => (tables: Tables) =>
  void Object.assign(tables[table]![0]!, columns);
const add = (table: string, row: BackupRow) => (tables: Tables) => void tables[table]!.push(row);
const postId = (tables: Tables, number: number) =>
  tables.posts!.find(({ slug }) => slug === `boat-net-${number}`)!.id!;
const at = '2026-01-01T00:00:00.000Z';
const times = { created_at: at, updated_at: at };
const term = { description: '', picture: '', ...times };
const comment = {
  parent_id: null,
  name: 'A reader',
  text: 'Good',
  html: '<p>Good</p>',
  written_at: at,
  created_at: at,
};
const release = {
  published_at: null,
  rollback_of_id: null,
  problem: '',
  version: 1,
  created_by_id: null,
  ...times,
};

const wrongText = 'wrong but possible';
const gone = 'a post that was archived or deleted before the backup was made';
const validSetting = 'a setting that is valid but not the one you want';

/** Each fault changes rows of its own, so that one proof finds all that are not refused. */
export const consistentFaults: Fault[] = [
  {
    name: 'an admin path that is none',
    spoil: setting('admin_path', 'No Path'),
    refused: /admin_path is not valid/,
  },
  {
    name: 'a time zone that is none',
    spoil: setting('site_timezone', 'Nowhere/None'),
    refused: /site_timezone is not valid/,
  },
  {
    name: 'a number that is a word',
    spoil: setting('posts_per_page', 'many'),
    refused: /posts_per_page is not valid/,
  },
  {
    name: 'a color that is none',
    spoil: setting('accent_color', 'sea'),
    refused: /accent_color is not valid/,
  },
  { name: 'a menu that is no list', spoil: setting('navigation', '{'), refused: /navigation is not valid/ },
  {
    name: 'a setting of nobody',
    spoil: setting('colour_of_boats', 'red'),
    found: /colour_of_boats is unknown/,
  },
  { name: 'no administrator', spoil: first('users', { role: 'author' }), found: /No administrator/ },
  {
    name: 'a password that is no hash',
    spoil: first('users', { password_hash: 'secret' }),
    found: /password that cannot be checked/,
  },
  {
    name: 'an account without a name',
    spoil: first('users', { display_name: ' ' }),
    refused: /"display_name" cannot be stored/,
  },
  {
    name: 'links of a person that are no list',
    spoil: first('users', { links: '[' }),
    refused: /"links" is not JSON/,
  },
  {
    name: 'a post before its time',
    spoil: post(1, { published_at: '9000-01-01T00:00:00.000Z' }),
    found: /boat-net-1 is published without a time, or before/,
  },
  {
    name: 'a post without a time',
    spoil: post(2, { published_at: null }),
    found: /boat-net-2 is published without a time/,
  },
  {
    name: 'a text that shows nothing',
    spoil: post(3, { body_html: '' }),
    found: /boat-net-3 has a text but shows nothing/,
  },
  {
    name: 'a page that is not its text',
    spoil: post(12, { body_html: '<p>The words of some other post.</p>' }),
    found: /boat-net-12 shows another text than the one in the editor/,
  },
  {
    name: 'a page that ends after its first words',
    spoil: post(13, { body: 'The ferry leaves at eight, and nobody waves.', body_html: '<p>The ferry</p>' }),
    found: /boat-net-13 shows another text/,
  },
  {
    name: 'a picture whose row is gone',
    spoil: (tables) => {
      const row = tables.media!.findIndex(({ original_name: name }) => name === 'rope.jpg');
      tables.media!.splice(row, 1);
    },
    found: /boat-net-9 names \/uploads\/.*, which the media library does not have/,
  },
  {
    name: 'an address that is no slug',
    spoil: post(0, { slug: 'Boat Net 0' }),
    refused: /"slug" is not a slug/,
  },
  {
    name: 'a post without a title',
    spoil: post(4, { title: '' }),
    found: /boat-net-4 is published without a title/,
  },
  {
    name: 'a page in the list of posts',
    spoil: post(5, { listed_in: 'pages' }),
    found: /boat-net-5 is in a list of another/,
  },
  {
    name: 'a list of a language that there is not',
    spoil: post(6, { listed_in: 'de' }),
    found: /boat-net-6 is in a list of another/,
  },
  {
    name: 'a table of contents that is none',
    spoil: post(7, { table_of_contents: '{' }),
    refused: /"table_of_contents" is not JSON/,
  },
  {
    name: 'a version below one',
    spoil: post(8, { version: 0 }),
    found: /boat-net-8 has a version or word count/,
  },
  {
    name: 'a word count below none',
    spoil: post(9, { word_count: -5 }),
    found: /boat-net-9 has a version or word count/,
  },
  {
    name: 'a schedule without a time',
    spoil: post(10, { status: 'scheduled', published_at: null }),
    found: /boat-net-10 is scheduled without a time/,
  },
  {
    name: 'a picture that neither rows nor files know',
    spoil: post(11, { body_html: '<p><img src="/uploads/2026/11/none.webp" alt=""></p>\n<p>Text 11.</p>' }),
    found: /boat-net-11 shows \/uploads\/2026\/11\/none\.webp, which is not in the backup/,
  },
  {
    name: 'a byline without a name',
    spoil: (tables) =>
      add('post_authors', { post_id: postId(tables, 12), position: 0, user_id: null, name: '' })(tables),
    found: /An author of the post .* has no name/,
  },
  {
    name: 'a category without a name',
    spoil: add('categories', { id: 'c1', slug: 'nameless', name: '', ...term }),
    refused: /"name" cannot be stored/,
  },
  {
    name: 'a tag without a name',
    spoil: add('tags', { id: 't0', slug: 'blank', name: '', ...term }),
    refused: /"name" cannot be stored/,
  },
  {
    name: 'a comment that shows nothing',
    spoil: (tables) =>
      add('comments', { ...comment, id: 'k1', post_id: postId(tables, 13), position: 0, html: '' })(tables),
    found: /comment k1 has a text but shows nothing/,
  },
  {
    name: 'an answer to no comment',
    spoil: (tables) =>
      add('comments', { ...comment, id: 'k2', post_id: postId(tables, 13), position: 1, parent_id: 'k9' })(
        tables,
      ),
    found: /comment k2 answers one that is not/,
  },
  {
    name: 'a revision that is no fields',
    spoil: first('revisions', { fields: '{' }),
    refused: /"fields" is not JSON/,
  },
  {
    name: 'a scheduled update that is no fields',
    spoil: (tables) =>
      add('prepared_changes', {
        post_id: postId(tables, 13),
        fields: '{',
        due_at: '2099-01-01T00:00:00.000Z',
        author_id: null,
        created_at: at,
      })(tables),
    refused: /"fields" is not JSON/,
  },
  {
    name: 'a release without a time',
    spoil: add('releases', { ...release, id: 'r1', name: 'Spring', status: 'scheduled', publish_at: null }),
    found: /release “Spring” is scheduled without a time/,
  },
  {
    name: 'a change of a release that is no fields',
    spoil: add('release_items', {
      id: 'i1',
      release_id: 'r1',
      kind: 'post',
      subject_id: 'p',
      action: 'update',
      fields: '{',
      undo: null,
      author_id: null,
      ...times,
    }),
    refused: /"fields" is not JSON/,
  },
  {
    name: 'trash that cannot come back',
    spoil: add('trash_items', {
      id: 'x1',
      kind: 'tag',
      title: 'Old',
      path: '',
      owner_id: null,
      details: '{',
      trashed_by_id: null,
      trashed_at: at,
    }),
    refused: /"details" is not JSON/,
  },
  {
    name: 'a redirect to nothing',
    spoil: add('redirects', { path: '/old', post_id: null, category_id: null, tag_id: null, created_at: at }),
    found: /redirect \/old leads nowhere/,
  },
  {
    name: 'a redirect from no address',
    spoil: (tables) =>
      add('redirects', {
        path: 'old',
        post_id: postId(tables, 13),
        category_id: null,
        tag_id: null,
        created_at: at,
      })(tables),
    refused: /"path" is not a path on the site/,
  },
  {
    name: 'an embed that is no details',
    spoil: add('embeds', { url: 'https://video.example/1', details: '{', fetched_at: at }),
    refused: /"details" is not JSON/,
  },

  { name: 'another title', spoil: post(14, { title: 'Something else' }), unseen: wrongText },
  {
    name: 'another text',
    spoil: post(14, { body: 'Other words.', body_html: '<p>Other words.</p>' }),
    unseen: wrongText,
  },
  { name: 'another excerpt', spoil: post(14, { excerpt: 'Other words.' }), unseen: wrongText },
  { name: 'another day', spoil: post(14, { published_at: at }), unseen: wrongText },
  { name: 'another word count', spoil: post(14, { word_count: 9 }), unseen: wrongText },
  { name: 'another address', spoil: post(15, { slug: 'elsewhere' }), unseen: wrongText },
  {
    name: 'a description of a picture that is gone',
    spoil: first('media', { alt: 'Another thing' }),
    unseen: wrongText,
  },
  { name: 'a post that is archived', spoil: post(16, { status: 'archived' }), unseen: gone },
  { name: 'a tag that a post has lost', spoil: (tables) => void tables.post_tags!.pop(), unseen: wrongText },
  { name: 'another title of the site', spoil: setting('site_title', 'Another'), unseen: validSetting },
  { name: 'fewer posts on a page', spoil: setting('feed_items', '5'), unseen: validSetting },
];
