import { expect, test } from 'vitest';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';
import { problemsIn, xssPayloads } from '#tests/support/xss-payloads.ts';

const siteUrl = 'https://blog.example.org';

test('the corpus has at least 60 texts and no duplicates', () => {
  expect(xssPayloads.length).toBeGreaterThanOrEqual(60);
  expect(new Set(xssPayloads).size).toBe(xssPayloads.length);
});

test('the check itself sees what is live', () => {
  for (const live of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="java\tscript:alert(1)">x</a>',
    '<p style="color:red">x</p>',
    '<p id=location>x</p>',
    '<svg></svg>',
  ])
    expect(problemsIn(live), live).not.toEqual([]);
});

/** Texts with the payload in every place. */
function textsWith(payload: string): string[] {
  const line = payload.replaceAll('\n', ' ');
  return [
    payload,
    `before ${payload} after`,
    `# ${payload}`,
    `- [ ] ${line}\n- ${line}`,
    `> ${line}`,
    `|a|\n|-|\n|${line}|`,
    `[^a]\n\n[^a]: ${line}`,
    `[${line}](/x "${line}")`,
    `[x](${payload})`,
    `[x](<${line}>)`,
    `![${line}](/uploads/a.png)`,
    `![x](${payload})`,
    `\`\`\`${line}\n${payload}\n\`\`\``,
    `<div>\n${payload}\n</div>`,
    `<p title="${payload}">x</p>`,
    `<a href="${payload}">x</a>`,
    `<img alt='${payload}' src='${payload}'>`,
    `<table><tr><td>${payload}`,
  ];
}

test.each(xssPayloads)('inert wherever it stands in a text: %j', async (payload) => {
  for (const text of textsWith(payload)) {
    const { html, tableOfContents } = await renderMarkdown(text, { siteUrl });
    expect(problemsIn(html), `${text}\n→ ${html}`).toEqual([]);
    for (const { id } of tableOfContents) expect(id).not.toMatch(/[\s"'<>&]/);
  }
});

test('no heading and no id of the text can stand in for a variable of a script', async () => {
  const words = [
    'location',
    'Config',
    'process',
    'x',
    'toString',
    '__proto__',
    'constructor',
    '$',
    '1',
    'Ünïcode',
  ];
  for (const word of words) {
    const { html } = await renderMarkdown(
      `# ${word}\n\n## ${word}\n\n<p id="${word}">x</p><a name="${word}">y</a>`,
    );
    expect(problemsIn(html), html).toEqual([]);
  }
});
