import { expect, test } from 'vitest';
import { unknownSite } from '#app/import/markdown/dialects/recognise-site.server.ts';
import { readMarkdownPost } from '#app/import/markdown/posts/post.ts';

const context = {
  timeZone: 'UTC',
  now: new Date('2026-11-20T08:00:00.000Z'),
  site: unknownSite,
  permalink: null,
  authors: new Map<string, string>(),
};
const read = (path: string, text: string) => readMarkdownPost({ path, text }, context);
const postOf = (path: string, ...lines: string[]) =>
  read(path, ['---', ...lines, '---', 'Body'].join('\n')).post;
const warningsOf = (path: string, ...lines: string[]) =>
  read(path, ['---', ...lines, '---', 'Body'].join('\n')).warnings;

const fullFile = `---
title: Title
slug: My-Slug
date: 2026-01-02
updated: 2026-02-03
category: News
tags: [One, two, ONE]
excerpt: Short.
author: Ada
cover: c.png
cover_alt: A cat
aliases: [/old, old.html]
redirect_from: older
path: blog/2014/09/15/Rust-1.0
seo_title: S
canonical_url: https://x.example/
archive_at: 2027-01-01
---

Body`;

const fullPost = {
  title: 'Title',
  guid: '',
  slug: 'My-Slug',
  body: 'Body',
  excerpt: 'Short.',
  status: 'published',
  publishedAt: new Date('2026-01-02T00:00:00Z'),
  archiveAt: new Date('2027-01-01T00:00:00Z'),
  updatedAt: new Date('2026-02-03T00:00:00Z'),
  category: { name: 'News', slug: '' },
  tags: [
    { name: 'One', slug: '' },
    { name: 'two', slug: '' },
  ],
  author: { name: 'Ada', username: '' },
  cover: 'c.png',
  coverAlt: 'A cat',
  coverDecorative: '',
  coverFocus: '',
  coverCrop: '',
  seoTitle: 'S',
  seoDescription: '',
  canonicalUrl: 'https://x.example/',
  aliases: ['blog/2014/09/15/Rust-1.0', '/old', 'old.html', 'older'],
};

test('reads everything that the contract names', () => {
  const { post, warnings } = read('a.md', fullFile);
  expect(warnings).toEqual([]);
  expect(post).toEqual(fullPost);
});

test('other names for the same', () => {
  const toml = read(
    'a.md',
    '+++\ntitle = "T"\npublishedAt = 2026-01-02T03:04:05Z\ndescription = "D"\nauthors = ["A"]\nimage = "i.png"\n[taxonomies]\ncategories = ["C"]\ntags = ["x"]\n+++\n',
  ).post;
  expect(toml).toMatchObject({
    publishedAt: new Date('2026-01-02T03:04:05Z'),
    excerpt: 'D',
    author: { name: 'A' },
    cover: 'i.png',
    category: { name: 'C' },
    tags: [{ name: 'x' }],
  });
  expect(postOf('a.md', 'title: T', 'published_at: 2026-01-02', 'summary: S', 'tags: a, b').tags).toEqual([
    { name: 'a', slug: '' },
    { name: 'b', slug: '' },
  ]);
  expect(postOf('a.md', 'authors: [{name: Ada}]', 'cover: {image: x.png}')).toMatchObject({
    author: { name: 'Ada' },
    cover: 'x.png',
  });
});

test('the first of several authors made the post, but in an export of this product, which says who did', () => {
  const lines = ['title: T', 'slug: t', 'updated: 2026-01-02', 'status: published', 'authors: [Ada, Grace]'];
  expect(postOf('a.md', ...lines)).toMatchObject({ author: { name: 'Ada' }, authors: ['Ada', 'Grace'] });
  expect(postOf('a.md', ...lines, 'exported_by: Dateline')).toMatchObject({
    author: null,
    authors: ['Ada', 'Grace'],
  });
});

test.each([
  ['posts/2014-09-15-Rust-1.0.md', [], 'Rust-1.0'],
  ['posts/2014-09-15-Rust-1.0/index.md', [], 'Rust-1.0'],
  ['index.md', [], 'index'],
  ['a.md', ['path: 2014/12/12/1.0-Timeline/'], '1.0-Timeline'],
  ['a.md', ['path: x/y', 'slug: z'], 'z'],
  ['a.md', ['path: /2015/01/%e6%a0%87%e9%a2%98/'], '标题'],
  ['a.md', ['slug: 100%-cotton'], '100%-cotton'],
])('the slug of %s', (path, lines, slug) => {
  expect(postOf(path, ...lines).slug).toBe(slug);
});

test.each([
  ['a.md', ['date: 2026-01-02'], 'published', '2026-01-02'],
  ['a.md', ['date: 2027-01-02'], 'scheduled', '2027-01-02'],
  ['a.md', ['date: 2026-01-02', 'draft: true'], 'draft', '2026-01-02'],
  ['a.md', ['date: 2026-01-02', 'published: false'], 'draft', '2026-01-02'],
  // Words of YAML 1.1, which Jekyll reads, and texts, which Hugo takes.
  ['a.md', ['date: 2026-01-02', 'draft: yes'], 'draft', '2026-01-02'],
  ['a.md', ['date: 2026-01-02', 'draft: "True"'], 'draft', '2026-01-02'],
  ['a.md', ['date: 2026-01-02', 'published: no'], 'draft', '2026-01-02'],
  ['a.md', ['date: 2026-01-02', 'hidden: on'], 'draft', '2026-01-02'],
  ['a.md', ['date: 2026-01-02', 'draft: no', 'published: "true"'], 'published', '2026-01-02'],
  ['a.md', ['date: 2026-01-02', 'status: scheduled'], 'scheduled', '2026-01-02'],
  ['a.md', ['date: 2026-01-02', 'status: Archived'], 'archived', '2026-01-02'],
  ['a.md', ['date: 2027-01-02', 'status: published'], 'scheduled', '2027-01-02'],
  ['a.md', ['path: 2014/12/12/x'], 'published', '2014-12-12'],
  ['2015-01-01-a.md', ['path: 2014/12/12/x'], 'published', '2014-12-12'],
  ['2015-01-01-a.md', [], 'published', '2015-01-01'],
  ['2015-01-01 a/index.md', [], 'published', '2015-01-01'],
  ['a.md', [], 'draft', null],
  ['a.md', ['status: published'], 'draft', null],
] as const)('the state of %s %j is %s', (path, lines, status, day) => {
  const post = postOf(path, 'title: T', ...lines);
  expect(post.status).toBe(status);
  expect(post.publishedAt).toEqual(day === null ? null : new Date(`${day}T00:00:00Z`));
});

test('a time of the last change that cannot be read is left out', () => {
  const lines = ['date: 2026-01-01', 'lastmod: yesterday'];
  expect(postOf('a.md', ...lines)).toMatchObject({ status: 'published', updatedAt: null });
  expect(warningsOf('a.md', ...lines)).toEqual([
    "The front matter's “lastmod” is not a date such as 2026-11-20 or 2026-11-20T08:00:00Z: it was left out.",
  ]);
});

test('says what it could not keep', () => {
  expect(warningsOf('a.md', 'title: T')).toEqual(['No date: the post becomes a draft.']);
  expect(warningsOf('a.md', 'title: T', 'draft: true')).toEqual([]);
  expect(warningsOf('a.md', 'title: T', 'status: archived')).toEqual(['No date: the post becomes a draft.']);
  expect(warningsOf('a.md', 'date: 2027-01-02', 'status: published')).toHaveLength(1);
  expect(warningsOf('a.md', 'date: 2026-01-02', 'categories: ["🎉"]')).toEqual([
    'The category “🎉” has no letter or digit and was left out.',
  ]);
  expect(warningsOf('a.md', 'date: 2026-01-02', 'category: "🎉"', 'category_slug: party')).toEqual([]);
  expect(
    warningsOf('a.md', 'date: 2026-01-02', 'authors: [A, B]', 'categories: [C, D]', 'tags: ["+", x]'),
  ).toEqual([
    'A post has one category: D became tags.',
    'The tag “+” has no letter or digit and was left out.',
  ]);
  expect(read('a.md', `---\ndate: 2026-01-02\nexcerpt: ${'x'.repeat(1_200)}\n---\n`)).toMatchObject({
    post: { excerpt: `${'x'.repeat(999)}…` },
    warnings: ['The excerpt was cut to 1,000 characters.'],
  });
});

test('a title from the text’s first heading, else from the name', () => {
  expect(read('2014-01-01-my-post.md', '# A *title* #\n\nText').post).toMatchObject({
    title: 'A *title*',
    body: 'Text',
  });
  expect(read('2014-01-01-my_first-post.md', 'Text\n\n# Later').post).toMatchObject({
    title: 'my first post',
    body: 'Text\n\n# Later',
  });
});

test.each([
  ['date: 2026-02-30', 'date'],
  ['date: soon', 'date'],
  ['published_at: 12', 'published_at'],
  ['status: public', 'status'],
  ['title: {a: b}', 'title'],
  ['tags: [{a: b}]', 'tags'],
  ['slug: {a: b}', 'slug'],
])('leaves out %s', (line, name) => {
  const warning = expect.stringContaining(`The front matter's “${name}” is not`) as string;
  expect(warningsOf('a.md', line)).toContainEqual(warning);
});

test('names of properties that every object has change nothing', () => {
  expect(postOf('a.md', 'constructor: x', '__proto__: {title: y}', 'toString: z').title).toBe('a');
});
