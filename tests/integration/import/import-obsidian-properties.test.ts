import { expect, test } from 'vitest';
import { picture } from '#tests/support/content-folders.ts';
import { importedFolder } from '#tests/support/imported-folder.ts';

test('properties of Obsidian: links are the words in them, a cover is found by its name, a foreign address is no redirect', async () => {
  const { result, posts } = await importedFolder(
    {
      'vault/.obsidian/app.json': '{}',
      'vault/Notes/one.md': `---
created: 2024-01-01
categories:
  - "[[Books]]"
author:
  - "[[Jo Doe]]"
tags:
  - reading
url: https://elsewhere.example/essays/one/
cover: "[[pic.jpg]]"
---
Text [[two|alias]] ![[pic.jpg|100]]
`,
      'vault/Notes/two.md': `---
created: 2024-01-02
category: [[Library/Books|Read books]]
author: ["[[People/Jo Doe.md]]", "[[Ada|A. L.]]", "[Eve](People/Eve.md)"]
cover: "![[media/pic.jpg|300]]"
tags: "#sea #boats/small, harbour"
aliases: ["[[Second]]"]
title: About [[Books]] and [[x/y|z]]
description: "[[one]] again"
permalink: //elsewhere.example/x
redirect_from: https://elsewhere.example/y
---
x
`,
      'vault/Notes/three.md':
        '---\ncreated: 2024-01-03\ncover: [[pic.jpg]]\ncategory: [[Books]]\ntag: one\n---\n[[Second]]',
      'vault/Notes/four.md':
        '---\ncreated: 2024-01-04\nbanner: "![x](../media/pic.jpg)"\nstatus: "[[Draft]]"\n---\nx',
      'vault/media/pic.jpg': await picture(1),
      'vault/other/pic.jpg': await picture(2),
    },
    { below: 'vault' },
  );
  expect(result).toMatchObject({ dialect: 'obsidian', imported: { posts: 4 }, skipped: [] });
  expect(posts.one).toMatchObject({
    category: 'Books',
    author: 'Jo Doe',
    cover: 'pic.jpg',
    redirects: [],
    tags: ['reading'],
  });
  expect(posts.two).toMatchObject({
    title: 'About Books and z',
    category: 'Read books',
    author: 'Jo Doe',
    cover: 'pic.jpg',
    tags: ['sea', 'boats/small', 'harbour'],
    redirects: [],
  });
  expect(posts.three).toMatchObject({
    category: 'Books',
    cover: 'pic.jpg',
    tags: ['one'],
    body: '[Second](/posts/two)',
  });
  expect(posts.four).toMatchObject({ cover: 'pic.jpg', status: 'draft' });
  expect(result.warnings.filter((warning) => !warning.includes('“status”'))).toEqual([]);
});

test('an address of another host is no old address of a site whose own is known', async () => {
  const { posts } = await importedFolder({
    'hugo.toml': 'baseURL = "https://www.old.example/"',
    'content/posts/a.md':
      '---\ndate: 2021-01-01\nurl: https://elsewhere.example/x/\naliases: [https://elsewhere.example/y/, https://old.example/z/]\n---\nx',
    'content/posts/b.md': '---\ndate: 2021-01-01\nurl: http://old.example/own/\n---\nx',
  });
  expect(posts.a!.redirects).toEqual(expect.arrayContaining(['/z']));
  expect(posts.a!.redirects).not.toContain('/x');
  expect(posts.a!.redirects).not.toContain('/y');
  expect(posts.own!.redirects).toEqual(['/own']);
});
