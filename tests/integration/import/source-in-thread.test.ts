import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { AddressPlanner } from '#app/import/addresses/plan.server.ts';
import type { SourceEntry } from '#app/import/model/post.ts';
import type { SiteFacts, SourceOptions } from '#app/import/run/open-source.server.ts';
import { createInlineWorkers, createPatientWorkers, type Workers } from '#app/workers/workers.server.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { blogUrl, wxrFile } from '#tests/support/wxr.ts';

const always = { dryRun: false, fetchFolder: '/nowhere' };
const facts: SiteFacts = {
  timeZone: 'Europe/Berlin',
  now: new Date('2026-01-01T00:00:00Z'),
  siteLanguage: 'en',
  otherLanguages: [],
};
/** As the import plans them, with the database, in its own thread. */
const addresses: AddressPlanner = (requested) =>
  Promise.resolve(requested.map(({ above, slug }) => `${above}planned-${slug}`));

let workers: Workers;
afterEach(() => workers.close());

/** All that a source returns. */
async function readWith(created: Workers, options: Pick<SourceOptions, 'from' | 'input'>) {
  workers = created;
  const source = await workers.openSource({ ...options, ...always, ...facts }, addresses);
  const entries: SourceEntry[] = [];
  for await (const entry of source.items()) entries.push(entry);
  await source.close?.();
  const { dialect, notes, isTruncated, endsInItem, progress, siteParts } = source;
  return {
    ...{ entries, dialect, notes: notes?.() ?? [], progress: progress(), siteParts: siteParts?.() },
    ...{ isTruncated: isTruncated?.() ?? false, endsInItem: endsInItem?.() ?? false },
  };
}

async function readInBoth(options: Pick<SourceOptions, 'from' | 'input'>) {
  const inline = await readWith(createInlineWorkers(), options);
  expect(await readWith(createPatientWorkers(), options)).toEqual(inline);
  return inline;
}

test('a thread reads the same entries as a source in the import’s own, with addresses that the import plans', async () => {
  const items = Array.from({ length: 40 }, (_, index) => ({
    id: index + 1,
    slug: `post-${index + 1}`,
    content: `<p>To <a href="${blogUrl}/?p=${((index + 1) % 40) + 1}">the next</a></p>`,
  }));
  const whole = wxrFile(items);
  const folder = await folderWith({ 'a.xml': whole, 'cut.xml': whole.slice(0, whole.lastIndexOf('<item')) });
  const { entries, siteParts } = await readInBoth({ from: 'wordpress', input: path.join(folder, 'a.xml') });
  expect(siteParts).toMatchObject({ siteUrl: blogUrl });
  expect(entries).toHaveLength(40);
  expect(entries[0]).toMatchObject({ post: { body: 'To [the next](/posts/planned-post-2)' } });
  const cut = await readInBoth({ from: 'wordpress', input: path.join(folder, 'cut.xml') });
  expect(cut).toMatchObject({ isTruncated: true, endsInItem: false });
});

test('a folder of Markdown too, whose links are planned after it is opened', async () => {
  const folder = await folderWith({
    'one.md': '---\ntitle: One\n---\n\n[Two](two.md)\n',
    'two.md': '---\ntitle: Two\n---\n\nText\n',
    'style.css': 'a {}',
  });
  const { entries, dialect } = await readInBoth({ from: 'markdown', input: folder });
  expect(dialect).toBe('markdown');
  expect(entries).toHaveLength(3);
  expect(entries[0]).toMatchObject({ post: { body: '[Two](/posts/planned-two)' } });
});

test('a source that is closed early reads no further', async () => {
  const folder = await folderWith({
    'a.xml': wxrFile(Array.from({ length: 100 }, (_, id) => ({ id: id + 1 }))),
  });
  workers = createPatientWorkers();
  const options = { from: 'wordpress', input: path.join(folder, 'a.xml'), ...always, ...facts } as const;
  const source = await workers.openSource(options, addresses);
  let read = 0;
  for await (const entry of source.items()) {
    expect(entry).toHaveProperty('post');
    read += 1;
    if (read === 1) await source.close!();
  }
  // The batch that the thread was reading is the last one.
  expect(read).toBeLessThan(100);
});

test('what refuses a source arrives with its words', async () => {
  const missing = { from: 'wordpress', input: '/nowhere/export.xml' } as const;
  await expect(readWith(createPatientWorkers(), missing)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('/nowhere/export.xml') as string,
  });
});
