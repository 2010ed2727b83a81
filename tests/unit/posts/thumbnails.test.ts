import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { withThumbnails } from '#app/posts/pictures/queries.server.ts';

it('asks the database for nothing where no post has a cover', async () => {
  const db = new Proxy({} as App['db'], {
    get: (_, name) => {
      throw new Error(`${String(name)} was asked`);
    },
  });
  const rows = [{ slug: 'bare', coverMediaId: null, coverFocus: '' }];
  expect(await withThumbnails({ db }, rows)).toEqual([{ slug: 'bare', coverFocus: '', cover: null }]);
  const covered = [{ slug: 'covered', coverMediaId: 'some-id', coverFocus: '' }];
  await expect(withThumbnails({ db }, covered)).rejects.toThrow('media was asked');
});
