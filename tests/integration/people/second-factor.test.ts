// Setting up the second factor of an account, and the codes that it takes.
import { Secret, TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { byUser } from '#app/people/audit/audit.server.ts';
import {
  withoutRecoveryCode,
  beginTwoFactor,
  checkSecondStep,
  confirmTwoFactor,
  readTwoFactor,
} from '#app/people/second-factor.server.ts';
import { issueToken } from '#app/people/tokens.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';

/** An account whose setup is not confirmed yet, and the code of its app at this moment. */
async function begin(app: TestApp) {
  const user = await createUser(app);
  await beginTwoFactor(app, user.id);
  const { secret } = await readTwoFactor(app, user.id);
  const timestamp = app.clock.now().getTime();
  const code = new TOTP({ secret: Secret.fromBase32(secret!) }).generate({ timestamp });
  return { id: user.id, by: byUser(user, '203.0.113.7'), code };
}

describeWithApp('the setup of a second factor', (getApp) => {
  it('that is confirmed twice at once gives recovery codes once, and these work', async () => {
    const app = getApp();
    const { id, by, code } = await begin(app);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => confirmTwoFactor(app, by, code)));
    const shown = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(shown).toHaveLength(1);
    const { recoveryCodes } = await app.db.user.findUniqueOrThrow({ where: { id } });
    expect(withoutRecoveryCode(recoveryCodes, shown[0]![0]!)).not.toBeNull();
    expect(await app.db.auditLog.count({ where: { action: 'account.two-factor-on' } })).toBe(1);
  });

  it.each([
    ['Arabic', 0x660],
    ['Persian', 0x6f0],
    ['wide', 0xff10],
  ])('takes a code in %s digits', async (_name, zero) => {
    const app = getApp();
    const { by, code } = await begin(app);
    const typed = code.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
    expect(await confirmTwoFactor(app, by, typed)).toHaveLength(10);
  });

  it('begins again after a change of AUTH_SECRET', async () => {
    const app = getApp();
    const { id } = await begin(app);
    const changed = { ...app, env: { ...app.env, authSecret: 'another secret of enough characters' } };
    expect(await readTwoFactor(changed, id)).toMatchObject({ confirmed: false, secret: null });
    await beginTwoFactor(changed, id);
    expect((await readTwoFactor(changed, id)).secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('takes a recovery code once, also from two browsers at once', async () => {
    const app = getApp();
    const { by, code } = await begin(app);
    const [recovery] = await confirmTwoFactor(app, by, code);
    const outcomes = await Promise.allSettled(
      ['203.0.113.7', '198.51.100.8'].map((address) => checkSecondStep(app, { ...by, address }, recovery!)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('ends a login after ten wrong codes, not after nine', async () => {
    const app = getApp();
    const { id, by, code } = await begin(app);
    await confirmTwoFactor(app, by, code);
    await issueToken(app.db, app.clock, id, 'second-step');
    const { id: stepId } = await app.db.userToken.findFirstOrThrow({ where: { userId: id } });
    const guess = async (number: number) => {
      const from = { ...by, address: `198.51.100.${number}` };
      await expect(checkSecondStep(app, from, 'wrong', { stepId })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    };
    for (let number = 1; number <= 9; number += 1) await guess(number);
    expect(await app.db.userToken.count({ where: { id: stepId } })).toBe(1);
    await guess(10);
    expect(await app.db.userToken.count({ where: { id: stepId } })).toBe(0);
  });
});
