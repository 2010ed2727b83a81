// Which accounts a request for a reset link reaches.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestPasswordReset } from '#app/people/passwords/change.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { smtpFields, startSmtp, type Smtp } from '#tests/support/smtp.ts';

let smtp: Smtp;
beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp?.close());

describeWithApp('a request for a reset link', (getApp) => {
  it.each([
    ['that has a password', { passwordHash: 'a hash' }, 1],
    ['that is disabled', { passwordHash: 'a hash', disabledAt: new Date('2026-01-01') }, 0],
    ['that never had a password', { passwordHash: null }, 0],
  ])('for an account %s sends what it should', async (_name, columns, mails) => {
    const app = getApp();
    await changeSettings(app, smtpFields(smtp));
    const user = await createUser(app);
    await app.db.user.update({ where: { id: user.id }, data: columns });
    const before = smtp.messages.length;
    await (
      await requestPasswordReset(app, user.email, '203.0.113.7')
    ).sending;
    expect(smtp.messages.length - before).toBe(mails);
    expect(await app.db.userToken.count({ where: { userId: user.id } })).toBe(mails);
  });
});
