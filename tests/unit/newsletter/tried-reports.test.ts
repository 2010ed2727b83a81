import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tryReports } from '#app/newsletter/bounces/mailbox.server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const bounce = (status: string, words: string) =>
  [
    'From: MAILER-DAEMON@mx.example.net',
    'Subject: Undelivered Mail Returned to Sender',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    '',
    'Final-Recipient: rfc822; reader@example.org',
    'Action: failed',
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${words}`,
    '',
    '--b--',
  ].join('\r\n');

test('bounces:try says what each mail of a folder would do', async () => {
  const folder = await tempFolder();
  const files = {
    'a.eml': bounce('5.1.1', '550 5.1.1 User unknown'),
    'b.eml': bounce('5.7.1', '554 5.7.1 Blocked by a block list'),
    'c.eml':
      'From: reader@example.org\nSubject: Out of office\nAuto-Submitted: auto-replied\n\nBack on Monday.\n',
    'index.json': '{}',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const { files: tried, ...counts } = await tryReports(folder);
  expect(counts).toEqual({ suspend: 1, unsubscribe: 0, fail: 1, nothing: 1 });
  expect(tried.map(({ file, would, status }) => [file, would, status])).toEqual([
    ['a.eml', 'suspend', '5.1.1'],
    ['b.eml', 'fail', '5.7.1'],
    ['c.eml', 'nothing', ''],
  ]);
  await expect(tryReports(path.join(folder, 'missing'))).rejects.toThrow('There is no folder');
});
