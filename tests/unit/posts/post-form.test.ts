import { describe, expect, it } from 'vitest';
import { postFields } from '#app/posts/fields/fields.ts';
import { editFormSchema, postFormSchema } from '#app/posts/fields/form.ts';

const read = (fields: Record<string, string>, zone = 'UTC') => postFormSchema(zone).safeParse(fields);
const errors = (fields: Record<string, string>, zone = 'UTC') =>
  Object.fromEntries(read(fields, zone).error?.issues.map(({ path, message }) => [path[0], message]) ?? []);

describe('the post form', () => {
  it('reads what is there and leaves out what is not', () => {
    expect(read({ title: '  A title ', version: '3' }).data).toEqual({
      title: 'A title',
      version: 3,
      intent: 'save',
    });
    expect(read({ excerpt: '', categoryId: '', tags: '', publishedAt: '', slug: '' }).data).toEqual({
      excerpt: '',
      categoryId: null,
      tags: [],
      publishedAt: null,
      slug: '',
      intent: 'save',
    });
  });

  it('makes slugs and tags of what people type', () => {
    expect(read({ slug: ' Rust-1.0 ' }).data?.slug).toBe('rust-1-0');
    expect(read({ slug: 'Größe 数据' }).data?.slug).toBe('größe-数据');
    expect(read({ tags: 'Rust, rust , C++,, 新闻、News' }).data?.tags).toEqual([
      'Rust',
      'C++',
      '新闻',
      'News',
    ]);
  });

  it('parts tags at the comma of each keyboard', () => {
    expect(read({ tags: 'سفر، بحر, 东京，大阪、京都' }).data?.tags).toEqual([
      'سفر',
      'بحر',
      '东京',
      '大阪',
      '京都',
    ]);
  });

  it('keeps tags apart whose slugs would be the same', () => {
    expect(read({ tags: 'C, C++, C#, c#' }).data?.tags).toEqual(['C', 'C++', 'C#']);
  });

  it('keeps a tag whole whose name has a comma', () => {
    const names = ['Food, drink', 'Sea', 'a、b', '"Big" data', 'The "best", ever', '"Now", "then"'];
    const written = postFields.tags.toForm(names);
    expect(written).toBe('"Food, drink", Sea, "a、b", "Big" data, "The ""best"", ever", """Now"", ""then"""');
    expect(read({ tags: written }).data?.tags).toEqual(names);
    expect(read({ tags: '"Sea", "Food, drink, "x' }).data?.tags).toEqual(['"Sea"', '"Food', 'drink', '"x']);
  });

  it('keeps the body byte for byte but for its line ends', () => {
    expect(read({ body: '  # A\r\n\ttab  \r\n' }).data?.body).toBe('  # A\n\ttab  \n');
  });

  it('reads times in the site’s zone and says what is wrong with one', () => {
    expect(read({ publishedAt: '2026-11-20T09:00:59' }, 'Europe/Berlin').data?.publishedAt).toEqual(
      new Date('2026-11-20T08:00:00Z'),
    );
    expect(errors({ publishedAt: '2026-03-29T02:30' }, 'Europe/Berlin').publishedAt).toMatch(
      /clocks skip it/,
    );
    expect(errors({ publishedAt: 'soon' }).publishedAt).toMatch(/such as 2026/);
  });

  it('refuses what cannot be kept, beside its field', () => {
    expect(errors({ title: ' ' })).toEqual({ title: 'Title is required.' });
    expect(Object.keys(errors({ title: 'x'.repeat(301), excerpt: 'x'.repeat(1001), body: 'x\0' }))).toEqual([
      'title',
      'excerpt',
      'body',
    ]);
    expect(errors({ body: 'ü'.repeat(1024 * 1024 + 1) }).body).toMatch(/2 MB/);
    expect(errors({ slug: '!!!' }).slug).toMatch(/letter or a digit/);
    expect(errors({ slug: 'x'.repeat(201) }).slug).toMatch(/200/);
    expect(errors({ tags: Array.from({ length: 51 }, (_, n) => `t${n}`).join() }).tags).toMatch(/50/);
    expect(errors({ canonicalUrl: 'javascript:alert(1)' }).canonicalUrl).toMatch(/https/);
    expect(errors({ version: 'x' }).version).toMatch(/which version/);
  });

  it('counts characters as people do', () => {
    expect(read({ title: '👩‍🚀'.repeat(100) }).success).toBe(true);
    expect(read({ title: '𝒳'.repeat(300) }).success).toBe(true);
    expect(read({ title: '𝒳'.repeat(301) }).success).toBe(false);
  });

  it('knows its buttons, and a new post cannot prepare a change', () => {
    expect(errors({ intent: 'explode' }).intent).toMatch(/unknown/);
    expect(errors({ intent: 'prepare' }).intent).toMatch(/unknown/);
    expect(editFormSchema('UTC').parse({ intent: 'prepare', changeAt: '2026-11-20T08:00' })).toEqual({
      intent: 'prepare',
      changeAt: new Date('2026-11-20T08:00:00Z'),
    });
  });
});
