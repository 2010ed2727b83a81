// Blogs with posts and pages of every state and with every kind of name, for the round trip of exports.
import fc from 'fast-check';
import { toSlug } from '#app/platform/text/slug.ts';
import { postFieldsSchema } from '#app/posts/fields/form.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import { termSchema } from '#app/posts/terms/form.ts';
import { arbitraryText } from '#tests/support/instances.ts';

/** The time at which the round trip happens. */
export const roundTripAt = new Date('2026-11-20T08:00:00.000Z');

/** Texts that are hard to write into a front matter or a body and to read back. */
const edges = fc.constantFrom(
  ...[
    '---',
    '+++',
    '...',
    '\n---\n',
    '---\ntitle: x\n---',
    '\u2028---\u2028',
    '# Heading',
    '- a',
    '? x',
    '!x',
    '&a',
    '*a',
  ],
  ...[
    'null',
    'true',
    '12',
    '1e3',
    '2026-01-01',
    '~',
    '{a: b}',
    '[x',
    '"',
    "'",
    '`',
    '%x',
    '@x',
    'a: b',
    'a #b',
    '\ttab',
  ],
  ...[
    '  two\n   lines\n\n\nmore',
    'trailing  \n',
    '\u0085',
    '\u00a0',
    '\ufeffx',
    '\u200b',
    '😀',
    'e\u0301',
    'ﬁ',
    '\\',
    '<!--',
    '://',
  ],
  ...['../media/x.png', '![a](/uploads/none.png)', '[a]: <b c>', '```\n---\n```'],
);
const anyText = fc.oneof(
  edges,
  arbitraryText,
  fc.array(edges, { maxLength: 4 }).map((parts) => parts.join('')),
);

/** The value that a form makes of a text. Texts that it refuses are left out. */
const fields = postFieldsSchema('UTC');
const field = (name: 'title' | 'excerpt' | 'body' | 'coverAlt' | 'seoTitle' | 'seoDescription') =>
  anyText
    .map((value) => fields.safeParse({ [name]: value }).data?.[name])
    .filter((value) => value !== undefined);
const term = fc
  .record({ name: anyText, slug: fc.oneof(fc.constant(''), anyText) })
  .map((value) => termSchema.safeParse(value).data)
  .filter((value) => value !== undefined)
  // As a save does.
  .map((value) => ({ ...value, slug: value.slug || toSlug(value.name) }))
  .filter((value) => value.slug !== '');
const slug = fc
  .oneof(
    anyText,
    fc.constantFrom(
      'con',
      'index',
      '2020-01-01',
      '2020-01-01-x',
      'x'.repeat(200),
      '長'.repeat(200),
      'readme',
    ),
  )
  .map((value) => toSlug(value))
  .filter((value) => value !== '');
const instant = fc.date({ min: new Date('0100-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const past = fc.date({ min: new Date('0100-01-01'), max: roundTripAt, noInvalidDate: true });
const alias = fc
  .array(slug, { minLength: 1, maxLength: 3 })
  .map((parts) => `/old/${parts.join('/100% #1?/')}`);

const post = fc
  .record({
    title: field('title'),
    slug,
    excerpt: field('excerpt'),
    body: field('body'),
    coverAlt: field('coverAlt'),
    seoTitle: field('seoTitle'),
    seoDescription: field('seoDescription'),
    coverDecorative: fc.constantFrom('', 'yes'),
    coverFocus: fc.constantFrom('', '25 75'),
    coverCrop: fc.constantFrom('', '16x9', '1x1'),
    cover: fc.option(fc.nat(2), { nil: null }),
    isPage: fc.boolean(),
    /** The index of an earlier page as the parent, and of an earlier post as the original. */
    below: fc.option(fc.nat(7), { nil: null }),
    translates: fc.option(fc.nat(7), { nil: null }),
    /** Accounts and guests. */
    byline: fc.uniqueArray(
      fc.constantFrom('ada', 'ada1', 'ada2', 'Guest, Comma & Co', '客: "x"', 'null', '12'),
      { maxLength: 3 },
    ),
    language: fc.constantFrom('', 'de', 'zh-Hans'),
    canonicalUrl: fc.constantFrom('', 'https://x.example/a?b=1#c'),
    status: fc.constantFrom(...postStatuses),
    time: instant,
    isTimed: fc.boolean(),
    contentUpdatedAt: past,
    archiveAt: fc.option(instant, { nil: null }),
    category: fc.option(fc.nat(4), { nil: null }),
    tags: fc.uniqueArray(fc.nat(4), { maxLength: 4 }),
    author: fc.option(fc.nat(2), { nil: null }),
    aliases: fc.uniqueArray(alias, { maxLength: 2 }),
    sourceGuid: fc.constantFrom('', 'https://old.example/?p=1', '5f1c: "x" #'),
    comments: fc.array(
      fc.record({
        parent: fc.nat(3),
        name: fc.constantFrom('', 'Ada: "A"', '長'),
        text: field('body'),
        writtenAt: past,
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ time, isTimed, ...rest }) => ({
    ...rest,
    publishedAt:
      rest.status === 'published'
        ? new Date(Math.min(time.getTime(), roundTripAt.getTime()))
        : rest.status === 'scheduled' || isTimed
          ? time
          : null,
  }));

export const arbitraryBlog = fc.record({
  posts: fc.uniqueArray(post, { minLength: 1, maxLength: 8, selector: (value) => value.slug }),
  categories: fc.uniqueArray(term, { maxLength: 5, selector: (value) => value.slug }),
  tags: fc.uniqueArray(term, { maxLength: 5, selector: (value) => value.slug }),
  names: fc.tuple(
    fc.constantFrom('Ada', 'Grace'),
    fc.constantFrom('Ada', '#9: Nine'),
    fc.constantFrom('Felix Klock, Wesley Wiser', '長'),
  ),
});
/** What `arbitraryBlog` makes. */
export type ArbitraryBlog = typeof arbitraryBlog extends fc.Arbitrary<infer Value> ? Value : never;
