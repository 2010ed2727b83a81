import { expect, test } from 'vitest';
import { createTestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';

const front = '---\ndate: 2021-01-01\n---\n';
const sites: [site: string, files: Record<string, string>][] = [
  [
    'Hugo',
    {
      'hugo.toml': 'baseURL = "https://old.example/"',
      'content/posts/b.md': `${front}## Own\n\n## What's new & old?\n\n## Own\n\n## Set {#Custom}\n\n<a id="mark"></a>x`,
      'content/posts/a.md': `${front}[1]({{< ref "b.md#own" >}}) [2](/posts/b/#whats-new--old) [3](b.md#own-1) [4](b.md#Custom) [5](../b/#mark)`,
    },
  ],
  [
    'Jekyll',
    {
      '_config.yml': 'url: https://old.example\n',
      '_posts/2021-01-01-b.md':
        '---\ntitle: B\n---\n## Own\n\n## 1. Über uns!\n\nText\n{: #block}\n\n## Zwei {#two}\n',
      '_posts/2021-01-01-a.md':
        '---\ntitle: A\n---\n[1]({% post_url 2021-01-01-b %}#own) [2](/2021/01/01/b.html#1-über-uns) [3](https://old.example/2021/01/01/b.html#two)',
    },
  ],
  [
    'Obsidian',
    {
      '.obsidian/app.json': '{}',
      'b.md': `${front}## Head\n\nA block ^here\n\n## Two Words`,
      'a.md': `${front}[[b#Head]] [[b#^here]] [[b#Two Words]]`,
    },
  ],
];

test.each(sites)('%s: links to a part of another post lead there', async (_name, files) => {
  const app = await createTestApp();
  try {
    const result = await importResult(app, { from: 'markdown', input: await folderWith(files) });
    expect(result).toMatchObject({ imported: { posts: 2 }, skipped: [] });
    const { bodyHtml: a } = await app.db.post.findUniqueOrThrow({ where: { slug: 'a' } });
    const { bodyHtml: b } = await app.db.post.findUniqueOrThrow({ where: { slug: 'b' } });
    const fragments = [...a.matchAll(/href="\/posts\/b#([^"]+)"/g)].map(([, name]) =>
      decodeURIComponent(name!),
    );
    expect(fragments.length).toBeGreaterThanOrEqual(3);
    const dead = fragments.filter((name) => !b.includes(` id="${name}"`));
    expect({ dead, b }).toEqual({ dead: [], b });
  } finally {
    await app.close();
  }
});
