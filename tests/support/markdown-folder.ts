import { picture } from './content-folders.ts';

/** Files of posts in every state, with pictures and one that cannot be read. */
export const sampleFolder = async () => ({
  'one/index.md': `---
title: First post
date: 2026-01-02
category: News
tags: [Alpha, Beta]
author: Ada Lovelace
cover: cover.png
cover_alt: A cover
excerpt: Short.
aliases: [/old/first.html]
---

# Head

![here](../images/a%20b.png) and <img src="../images/a b.png"> and [far](https://x.example/a.png) and ![near](//x.example/b.png).
`,
  'one/cover.png': await picture(1),
  'images/a b.png': await picture(2),
  '2026-01-03-second.md': '---\ntitle: Second\ntags: [beta]\nauthors: [Ada Lovelace]\n---\nText\n',
  'later.md': '---\ntitle: Later\ndate: 2027-01-01\n---\nText\n',
  'due.md': '---\ntitle: Due\ndate: 2026-11-01\nstatus: scheduled\n---\nText\n',
  'idea.md': '---\ntitle: Idea\n---\nText\n',
  'broken.md': '---\ntitle: [\n---\nText\n',
  '.hidden/x.md': '---\ntitle: Hidden\n---\n',
});
