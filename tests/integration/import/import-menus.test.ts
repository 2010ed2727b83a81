import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportResult } from '#app/import/run/report.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';
import { blogUrl, wxrFile, type WxrItemOptions } from '#tests/support/wxr.ts';

const sticky = '<wp:is_sticky>1</wp:is_sticky>';
const posts: WxrItemOptions[] = [
  {
    id: 1,
    title: 'One',
    slug: 'one',
    raw: sticky,
    terms: [{ domain: 'category', slug: 'news', name: 'News' }],
  },
  { id: 2, title: 'Two', slug: 'two', raw: sticky, dateGmt: '2021-01-01 00:00:00' },
  { id: 3, title: 'About', slug: 'about', type: 'page' },
];

function entry(
  id: number,
  {
    menu = 'Main menu',
    parent = 0,
    title = '',
    ...item
  }: {
    menu?: string;
    parent?: number;
    title?: string;
    type?: string;
    object?: string;
    objectId?: number;
    url?: string;
  },
): WxrItemOptions {
  return {
    id,
    title,
    type: 'nav_menu_item',
    terms: [{ domain: 'nav_menu', slug: menu.toLowerCase().replace(' ', '-'), name: menu }],
    meta: {
      _menu_item_type: item.type ?? 'custom',
      _menu_item_object: item.object ?? 'custom',
      _menu_item_object_id: String(item.objectId ?? id),
      _menu_item_menu_item_parent: String(parent),
      _menu_item_url: item.url ?? '',
    },
    raw: `<wp:menu_order>${id}</wp:menu_order>`,
  };
}

const menus = [
  entry(21, { type: 'post_type', object: 'page', objectId: 3 }),
  entry(22, { type: 'taxonomy', object: 'category', objectId: 5, title: 'All news' }),
  entry(23, { parent: 22, type: 'post_type', object: 'post', objectId: 2 }),
  entry(24, { title: 'Shop', url: 'https://shop.example/' }),
  entry(25, { title: 'Old', url: `${blogUrl}/2020/01/one/` }),
  entry(26, { title: 'Gone', type: 'post_type', object: 'page', objectId: 99 }),
  entry(27, { menu: 'Footer', title: 'Imprint', url: '/about' }),
  entry(28, { menu: 'Social', title: 'X', url: 'https://x.example/' }),
];

const file = wxrFile([...posts, ...menus]).replace(
  '<item>',
  '<wp:category><wp:term_id>5</wp:term_id><wp:category_nicename>news</wp:category_nicename><wp:cat_name>News</wp:cat_name></wp:category><item>',
);

describe('menus of WordPress', () => {
  let app: TestApp;
  let input: string;
  let result: ImportResult;
  beforeAll(async () => {
    app = await createTestApp();
    input = path.join(await folderWith({ 'a.xml': file }), 'a.xml');
    const dry = await importResult(app, { from: 'wordpress', input, dryRun: true });
    expect(dry.imported.posts).toBe(2);
    expect((await readSettings(app)).pinned_post).toBe('');
    result = await importResult(app, { from: 'wordpress', input });
  });
  afterAll(() => app?.close());

  test('become the navigation and the footer', async () => {
    const settings = await readSettings(app);
    expect(settings.navigation).toEqual([
      { label: 'About', href: '/about', children: [] },
      { label: 'All news', href: '/categories/news', children: [{ label: 'Two', href: '/posts/two' }] },
      { label: 'Shop', href: 'https://shop.example/', children: [] },
      { label: 'Old', href: '/2020/01/one', children: [] },
    ]);
    expect(settings.footer).toEqual([{ label: 'Imprint', href: '/about', children: [] }]);
  });

  test('come with the newest sticky post, which is pinned; what has no place is named', async () => {
    expect((await readSettings(app)).pinned_post).toBe('two');
    expect(result.warnings).toEqual([
      'The entry “Gone” of the menu “Main menu” leads to nothing here and was left out.',
      'The menu “Social” was left out: the site has one in its header and one in its footer.',
      'old.example/?p=1: It was sticky: only one post can be pinned here.',
    ]);
  });

  test('leave entries and a pinned post of the site’s own as they are', async () => {
    await changeSettings(app, { header: 'Mine | /archive', pinned_post: 'one' });
    const again = await importResult(app, { from: 'wordpress', input });
    expect((await readSettings(app)).navigation).toEqual([{ label: 'Mine', href: '/archive', children: [] }]);
    expect(again.warnings).toContain(
      'The menu “Main menu” was left out: the header here has entries of your own.',
    );
    expect((await readSettings(app)).pinned_post).toBe('one');
  });
});

/** A blog with a block theme, and a picture that no post names. */
async function blockTheme() {
  const content =
    '<!-- wp:navigation-link {"label":"About us","type":"page","id":3,"url":"https://old.example/about/"} /-->' +
    '<!-- wp:navigation-submenu {"label":"More","url":"#"} --><!-- wp:navigation-link {"label":"Shop","url":"https://shop.example/"} /--><!-- /wp:navigation-submenu -->';
  return {
    'a.xml': wxrFile([
      ...posts,
      { id: 30, type: 'wp_navigation', title: 'Navigation', content },
      {
        id: 31,
        type: 'attachment',
        status: 'inherit',
        attachmentUrl: `${blogUrl}/wp-content/uploads/a.png`,
      },
      {
        id: 32,
        type: 'attachment',
        status: 'inherit',
        attachmentUrl: `${blogUrl}/wp-content/uploads/b.png`,
      },
    ]),
    'uploads/a.png': await picture(1),
  };
}

test('WordPress: the menu of a block theme, and files of the library that no post names', async () => {
  const app = await createTestApp();
  try {
    const folder = await folderWith(await blockTheme());
    const [input, media] = [path.join(folder, 'a.xml'), path.join(folder, 'uploads')];
    const options = { from: 'wordpress', input, media } as const;
    const { imported, ignored } = await importResult(app, options);
    expect(imported).toMatchObject({ posts: 2, pages: 1, media: 1 });
    expect(ignored).toEqual({ wp_navigation: 1, attachment: 1 });
    expect((await readSettings(app)).navigation).toEqual([
      { label: 'About us', href: '/about', children: [] },
      {
        label: 'More',
        href: 'https://shop.example/',
        children: [{ label: 'Shop', href: 'https://shop.example/' }],
      },
    ]);
    expect(await app.db.media.count()).toBe(1);
    app.clock.advance(1_000);
    const again = await importResult(app, options);
    expect(again.imported.media).toBe(0);
  } finally {
    await app.close();
  }
});

test('an entry with an address that no link can have is left out; so is a menu that is too long', async () => {
  const app = await createTestApp();
  try {
    const many = Array.from({ length: 101 }, (_, index) =>
      entry(40 + index, { menu: 'Footer', title: `${index}`.padEnd(195, 'x'), url: '/about' }),
    );
    const broken = [
      entry(31, { title: 'Us | them', url: '/about' }),
      entry(32, { title: 'A space', url: 'https://shop.example/a b' }),
      entry(33, { title: 'No host', url: 'https:///shop' }),
    ];
    const xml = wxrFile([...posts, ...broken, ...many]);
    const input = path.join(await folderWith({ 'a.xml': xml }), 'a.xml');
    const { imported, warnings } = await importResult(app, { from: 'wordpress', input });
    expect(imported.posts).toBe(2);
    expect(warnings).toEqual([
      'The entry “A space” of the menu “Main menu” leads to nothing here and was left out.',
      'The entry “No host” of the menu “Main menu” leads to nothing here and was left out.',
      'old.example/?p=1: It was sticky: only one post can be pinned here.',
      'The footer was left out: Footer is too long: at most 20,000 characters.',
    ]);
    expect(await readSettings(app)).toMatchObject({
      navigation: [{ label: 'Us | them', href: '/about' }],
      footer: [],
      pinned_post: 'two',
    });
  } finally {
    await app.close();
  }
});
