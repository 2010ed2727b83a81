// The last moment of a session, a link and a code, and what a disabled account and somebody else may no longer do.
import { Secret, TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { keepingAnAdministrator } from '#app/people/accounts/users.server.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import {
  newTotpSecret,
  totpStep,
  beginTwoFactor,
  checkSecondStep,
  confirmTwoFactor,
  endTwoFactorOf,
  readTwoFactor,
} from '#app/people/second-factor.server.ts';
import {
  endOwnSessions,
  listSessions,
  finishLogin,
  readSession,
  startSession,
} from '#app/people/sessions/sessions.server.ts';
import { startSecondStep } from '#app/people/sessions/log-in.server.ts';
import { findToken, issueToken, tokenLifetimes, useToken } from '#app/people/tokens.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { beforeTransaction } from '#tests/support/before-transaction.ts';
import { createUser } from '#tests/support/factories.ts';

const DAY_MS = 86_400_000;
const client = { userAgent: '', address: '203.0.113.7' };
const passwordHash = 'a hash';
const disable = (app: TestApp, id: string) =>
  app.db.user.update({ where: { id }, data: { disabledAt: app.clock.now() } });
const codeAt = (secret: string, timestamp: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** An account whose second factor is on, with its recovery codes. */
async function withSecondFactor(app: TestApp) {
  const user = await createUser(app, { passwordHash });
  const by = byUser(user, client.address);
  await beginTwoFactor(app, user.id);
  const { secret } = await readTwoFactor(app, user.id);
  return { user, by, codes: await confirmTwoFactor(app, by, codeAt(secret!, app.clock.now().getTime())) };
}

describeWithApp('a session', (getApp) => {
  it('ends at its very instant, and is not listed from then on', async () => {
    const app = getApp();
    const { id } = await createUser(app);
    const cookie = (await startSession(app, id, client)).split(';')[0]!;
    app.clock.advance(14 * DAY_MS);
    const request = new Request('https://blog.example.org/admin', { headers: { Cookie: cookie } });
    expect(await listSessions(app, id)).toEqual([]);
    expect(await readSession(app, request)).toBeNull();
  });

  it('is ended by nobody else', async () => {
    const app = getApp();
    const [ada, eve] = [await createUser(app), await createUser(app)];
    await startSession(app, ada.id, client);
    const only = (await listSessions(app, ada.id))[0]!.id;
    expect(await endOwnSessions(app, byUser(eve, client.address), { only })).toBe(0);
    expect(await listSessions(app, ada.id)).toHaveLength(1);
  });
});

describeWithApp('a link', (getApp) => {
  it.each(['reset', 'invitation'] as const)('of the kind %s ends at its very instant', async (purpose) => {
    const app = getApp();
    const { id } = await createUser(app);
    const token = await issueToken(app.db, app.clock, id, purpose);
    app.clock.advance(tokenLifetimes[purpose] - 1);
    expect(await findToken(app.db, app.clock, purpose, token)).not.toBeNull();
    app.clock.advance(1);
    expect(await findToken(app.db, app.clock, purpose, token)).toBeNull();
    await expect(useToken(app.db, app.clock, purpose, token)).rejects.toThrow('no longer valid');
  });

  it('of a disabled account is not valid', async () => {
    const app = getApp();
    const { id } = await createUser(app);
    const token = await issueToken(app.db, app.clock, id, 'reset');
    await disable(app, id);
    expect(await findToken(app.db, app.clock, 'reset', token)).toBeNull();
    await expect(useToken(app.db, app.clock, 'reset', token)).rejects.toThrow('no longer valid');
  });
});

describeWithApp('a login that waits for its code', (getApp) => {
  const begin = async (app: TestApp, userId: string) => {
    const earlier = (await app.db.userToken.findMany()).map(({ id }) => id);
    await startSecondStep(app, { userId, needsCode: true, passwordHash });
    return (await app.db.userToken.findFirstOrThrow({ where: { id: { notIn: earlier } } })).id;
  };

  it('starts one session, and leaves that of another browser waiting', async () => {
    const app = getApp();
    const { id } = await createUser(app, { passwordHash });
    const [stepId, other] = [await begin(app, id), await begin(app, id)];
    await finishLogin(app, id, client, { stepId });
    await expect(finishLogin(app, id, client, { stepId })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await app.db.session.count()).toBe(1);
    await finishLogin(app, id, client, { stepId: other });
    expect(await app.db.session.count()).toBe(2);
  });

  it('starts none once the account is disabled, and no code is right', async () => {
    const app = getApp();
    const { user, by, codes } = await withSecondFactor(app);
    const stepId = await begin(app, user.id);
    await disable(app, user.id);
    await expect(checkSecondStep(app, by, codes[0]!)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(finishLogin(app, user.id, client, { stepId })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(await app.db.session.count()).toBe(0);
  });
});

describeWithApp('a second factor', (getApp) => {
  it('that is on keeps its secret, whoever sends the form of its setup again', async () => {
    const app = getApp();
    const { user } = await withSecondFactor(app);
    const secretOf = async () => (await app.db.user.findUniqueOrThrow({ where: { id: user.id } })).totpSecret;
    const before = await secretOf();
    await beginTwoFactor(app, user.id);
    expect(await secretOf()).toBe(before);
  });

  it('is not turned on with a secret that its owner has not confirmed', async () => {
    const app = getApp();
    const user = await createUser(app);
    await beginTwoFactor(app, user.id);
    const { secret } = await readTwoFactor(app, user.id);
    const raced = beforeTransaction(
      app,
      () => Promise.resolve(true),
      () => beginTwoFactor(app, user.id),
    );
    const code = codeAt(secret!, app.clock.now().getTime());
    await expect(confirmTwoFactor(raced, byUser(user, client.address), code)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await readTwoFactor(app, user.id)).toMatchObject({ confirmed: false });
  });

  it('that an administrator ends leaves a reset link valid, and no login that waits', async () => {
    const app = getApp();
    const { user, by } = await withSecondFactor(app);
    const token = await issueToken(app.db, app.clock, user.id, 'reset');
    const step = await issueToken(app.db, app.clock, user.id, 'second-step');
    await endTwoFactorOf(app, by, user);
    expect(await findToken(app.db, app.clock, 'reset', token)).not.toBeNull();
    expect(await findToken(app.db, app.clock, 'second-step', step)).toBeNull();
  });
});

describeWithApp('the last administrator', (getApp) => {
  it.each([
    ['was only invited', {}],
    ['is disabled', { passwordHash, disabledAt: new Date() }],
  ])('is the last one beside one who %s', async (_who, fields) => {
    const app = getApp();
    const role = 'administrator';
    const { id } = await createUser(app, { role, passwordHash });
    await createUser(app, { role, ...fields });
    const demote = () =>
      keepingAnAdministrator(app.db, () => app.db.user.update({ where: { id }, data: { role: 'author' } }));
    await expect(demote()).rejects.toMatchObject({ code: 'conflict' });
  });
});

it('a code is right in its own 30 seconds and in those beside, and no longer', () => {
  const secret = newTotpSecret();
  const start = Date.UTC(2026, 10, 20, 8);
  const code = codeAt(secret, start);
  const isRight = [-60, -30, 0, 30, 59, 60, 89, 90].map(
    (seconds) => totpStep(secret, code, new Date(start + seconds * 1000)) !== null,
  );
  // 60 seconds later the second step after that of the code has begun.
  expect(isRight).toEqual([false, true, true, true, true, false, false, false]);
});
