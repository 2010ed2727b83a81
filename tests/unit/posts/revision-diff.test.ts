import { describe, expect, it } from 'vitest';
import { readRevisionFields, readStoredFields, storeFields } from '#app/posts/fields/stored.ts';
import { emptyPostFields } from '#app/posts/fields/fields.ts';
import { diffFields } from '#app/posts/history/changes.ts';

describe('the difference of two revisions', () => {
  it('names the fields that changed, each in its own way', () => {
    const before = { ...emptyPostFields, title: 'A', tags: ['x', 'y'], categoryId: 'c', excerpt: 'same' };
    const after = { ...before, title: 'B', tags: ['y', 'z'], categoryId: null, publishedAt: new Date(0) };
    expect(diffFields(before, after)).toMatchObject([
      { field: 'title', kind: 'text' },
      { field: 'categoryId', kind: 'value', before: 'c', after: null },
      { field: 'tags', kind: 'list', added: ['z'], removed: ['x'] },
      { field: 'publishedAt', kind: 'value', before: null, after: new Date(0) },
    ]);
    expect(diffFields(before, { ...before, tags: [...before.tags] })).toEqual([]);
  });
});

describe('stored fields', () => {
  it('come back as they were, dates as dates', () => {
    const fields = { ...emptyPostFields, title: 'T', tags: ['a'], publishedAt: new Date(1000) };
    expect(readRevisionFields(storeFields(fields))).toEqual(fields);
    expect(readStoredFields(storeFields({ title: 'T' }))).toEqual({ title: 'T' });
    expect(readRevisionFields('{"title":"Old","gone":1}')).toEqual({ ...emptyPostFields, title: 'Old' });
  });
});
