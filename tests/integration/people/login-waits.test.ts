// A new password ends the waits that wrong ones have led to.
import { expect, test } from 'vitest';
import { resetPassword } from '#app/people/passwords/change.server.ts';
import { createLoginThrottle } from '#app/people/passwords/throttle.server.ts';
import { logIn } from '#app/people/sessions/log-in.server.ts';
import { issueToken } from '#app/people/tokens.server.ts';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { administrator, createQuickAdministrator } from '#tests/support/backend.ts';

const address = '203.0.113.7';
const password = 'a-changed-password';

async function fail(app: TestApp, account: string, count: number): Promise<void> {
  const throttle = createLoginThrottle(app, { account, from: address });
  for (let failure = 0; failure < count; failure += 1) await throttle.count();
}

describeWithApp('the owner of an account who has waited for a login', (getApp) => {
  test.each(['admin:create', 'a link'])('logs in at once after %s, and nobody else', async (way) => {
    const app = getApp();
    await createQuickAdministrator(app);
    const { email } = administrator;
    const { id } = await app.db.user.findUniqueOrThrow({ where: { email } });
    const others = `x${email}`;
    await fail(app, email, 5);
    await fail(app, others, 5);
    const enter = (account: string) => logIn(app, { email: account, password }, { address, cookies: null });
    await expect(enter(email)).rejects.toMatchObject({ code: 'too_many_requests' });
    if (way === 'a link') {
      const token = await issueToken(app.db, app.clock, id, 'reset');
      await resetPassword(app, { token, password, address: '198.51.100.1' });
    } else await createAdministrator(app, { ...administrator, password });
    expect(await enter(email)).toMatchObject({ userId: id });
    await expect(enter(others)).rejects.toMatchObject({ code: 'too_many_requests' });
  });

  test('does not end those of an address that differs where it has an underscore', async () => {
    const app = getApp();
    const email = 'a_b@example.com';
    await createAdministrator(app, { ...administrator, email, password });
    await fail(app, 'axb@example.com', 5);
    await createAdministrator(app, { ...administrator, email, password });
    const enter = logIn(app, { email: 'axb@example.com', password }, { address, cookies: null });
    await expect(enter).rejects.toMatchObject({ code: 'too_many_requests' });
  });
});
