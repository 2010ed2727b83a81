import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { resetPassword } from '#app/people/passwords/change.server.ts';
import {
  createLoginThrottle,
  sweepLoginThrottle,
  type ThrottledClient,
} from '#app/people/passwords/throttle.server.ts';
import { readDevice, rememberDevice } from '#app/people/sessions/known-device.server.ts';
import { logIn, startSecondStep } from '#app/people/sessions/log-in.server.ts';
import { finishLogin, readSession, startSession } from '#app/people/sessions/sessions.server.ts';
import { issueToken } from '#app/people/tokens.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createTestApp, describeWithApp, type TestApp } from '#tests/support/app.ts';
import { administrator, createQuickAdministrator } from '#tests/support/backend.ts';

const { email, password } = administrator;
const HERE = '203.0.113.7';

function request(fields: Record<string, string>, cookie = ''): Request {
  return new Request('https://blog.example.org/admin/login', {
    method: 'POST',
    headers: { Cookie: cookie },
    body: new URLSearchParams(fields),
  });
}

/** What a login comes to: `in`, or the error's code. */
async function attempt(app: TestApp, fields: Record<string, string>, address = HERE, cookie = '') {
  try {
    await logIn(app, fields, { address, cookies: cookie });
    return 'in';
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === 'too_many_requests') expect(error.retryAfter).toBeGreaterThan(0);
    return error.code;
  }
}

const wrong = { email, password: 'not-the-password' };
const right = { email, password };

/** What that many wrong passwords leave, without the comparisons that make them slow. */
async function countFailures(
  app: TestApp,
  count: number,
  client: Partial<ThrottledClient> = {},
): Promise<void> {
  const throttle = createLoginThrottle(app, { account: email, from: HERE, ...client });
  for (let failure = 0; failure < count; failure += 1) await throttle.count();
}

const deviceOf = async (app: TestApp, userId: string) =>
  (await rememberDevice(app, request({}), userId)).split(';')[0]!;

describeWithApp('login throttling', (getApp) => {
  test('a wait that began before the clock was set back locks nobody out, and guesses still lead to waits', async () => {
    const app = getApp();
    await createQuickAdministrator(app);
    await countFailures(app, 5);
    const expire = new Date(Date.now() + 300 * 86_400_000);
    await app.db.loginThrottle.updateMany({ data: { expire } });
    expect(await attempt(app, wrong)).toBe('invalid_input');
    expect(await attempt(app, right)).toBe('too_many_requests');
    await app.db.loginThrottle.updateMany({ data: { expire } });
    expect(await attempt(app, right)).toBe('in');
  });

  test('five failures for one account from one address, then waits, for the right password too', async () => {
    const app = getApp();
    await createQuickAdministrator(app);
    await countFailures(app, 4);
    expect(await attempt(app, wrong)).toBe('invalid_input');
    expect(await attempt(app, wrong)).toBe('too_many_requests');
    expect(await attempt(app, right)).toBe('too_many_requests');
    expect(await attempt(app, right, '203.0.113.8')).toBe('in');
    const others = { email: 'other@example.org', password };
    expect(await attempt(app, others)).toBe('invalid_input');
  });

  test('no other spelling of the address of the account gets more tries', async () => {
    const app = getApp();
    const spellings = [email.toUpperCase(), ` ${email}`, `${email} `];
    await countFailures(app, 2);
    for (const spelling of spellings)
      expect(await attempt(app, { email: spelling, password: 'x' })).toBe('invalid_input');
    expect(await attempt(app, wrong)).toBe('too_many_requests');
  });

  test('tries at the same moment are counted all the same', async () => {
    const app = getApp();
    await createQuickAdministrator(app);
    await countFailures(app, 3);
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => attempt(app, wrong)));
    expect(outcomes.filter((outcome) => outcome === 'invalid_input')).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === 'too_many_requests')).toHaveLength(10);
  });

  test('a known device is never locked out by others, and lets its right password in after own mistakes', async () => {
    const app = getApp();
    const { id } = await createQuickAdministrator(app);
    await countFailures(app, 5);
    const cookie = await deviceOf(app, id);
    expect(await attempt(app, right)).toBe('too_many_requests');
    expect(await attempt(app, right, HERE, cookie)).toBe('in');
    const device = (await readDevice(app, cookie))!;
    await countFailures(app, 5, { from: `device ${device.id}` });
    expect(await attempt(app, wrong, HERE, cookie)).toBe('too_many_requests');
    expect(await attempt(app, right, HERE, cookie)).toBe('in');
  });

  test('a device that knows another account, or a forged cookie, opens nothing', async () => {
    const app = getApp();
    await createQuickAdministrator(app);
    const other = { email: 'grace@example.org', username: 'grace' };
    const { id } = await createQuickAdministrator(app, other);
    await countFailures(app, 5);
    expect(await attempt(app, right, HERE, await deviceOf(app, id))).toBe('too_many_requests');
    const forged = `dateline_device=${encodeURIComponent(btoa(JSON.stringify({ id: 'x', userIds: [id] })))}`;
    expect(await attempt(app, right, HERE, forged)).toBe('too_many_requests');
  });

  test('the waits grow, and what has run out is swept away', async () => {
    const app = getApp();
    const throttle = createLoginThrottle(app, { account: email, from: HERE });
    const waits: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await countFailures(app, 5);
      const wait: unknown = await throttle.count().catch((error: unknown) => error);
      waits.push(isAppError(wait) ? wait.retryAfter! : 0);
      // The wait is over: its rows go as they would by themselves.
      await app.db.loginThrottle.deleteMany({ where: { key: { startsWith: 'login:' } } });
    }
    expect(waits[1]).toBeGreaterThan(waits[0]! * 1.5);
    expect(waits[2]).toBeGreaterThan(waits[1]! * 1.5);
    app.clock.set(new Date(Date.now() + 48 * 3_600_000));
    expect(await sweepLoginThrottle(app)).toBeGreaterThan(0);
    expect(await app.db.loginThrottle.count()).toBe(0);
  });

  test('thirty failures from one address close it for every account', async () => {
    const app = getApp();
    for (let failure = 0; failure < 30; failure += 1)
      await countFailures(app, 1, { account: `${failure}@example.org` });
    expect(await attempt(app, { email: 'new@example.org', password: 'x' })).toBe('too_many_requests');
    expect(await attempt(app, { email: 'new@example.org', password: 'x' }, '203.0.113.9')).toBe(
      'invalid_input',
    );
  });
});

describeWithApp('sessions', (getApp) => {
  const DAY_MS = 86_400_000;
  const client = { userAgent: '', address: HERE };

  test('every login has an id of its own; fourteen days of rest end it', async () => {
    const app = getApp();
    const { id } = await createQuickAdministrator(app);
    const [first, second] = [await startSession(app, id, client), await startSession(app, id, client)];
    expect(first.split(';')[0]).not.toBe(second.split(';')[0]);
    app.clock.advance(14 * DAY_MS + 1);
    expect(await readSession(app, request({}, first.split(';')[0]))).toBeNull();
  });

  test('a visit keeps it alive, for ninety days at most', async () => {
    const app = getApp();
    const { id } = await createQuickAdministrator(app);
    const cookie = await startSession(app, id, client);
    expect(Number(/Max-Age=(\d+)/.exec(cookie)![1])).toBe(90 * 86_400);
    for (let day = 0; day < 80; day += 10) {
      app.clock.advance(10 * DAY_MS);
      expect(await readSession(app, request({}, cookie.split(';')[0]))).not.toBeNull();
    }
    app.clock.advance(10 * DAY_MS + 1);
    expect(await readSession(app, request({}, cookie.split(';')[0]))).toBeNull();
  });
});

describeWithApp('a login that a new password overtakes', (getApp) => {
  const client = { userAgent: '', address: HERE };
  const refused = { code: 'invalid_input' };

  async function checkedLogin(app: TestApp) {
    await createQuickAdministrator(app);
    return logIn(app, right, { address: HERE, cookies: null });
  }

  /** What ends all sessions and second steps of the account. */
  async function reset(app: TestApp, userId: string) {
    const token = await issueToken(app.db, app.clock, userId, 'reset');
    await resetPassword(app, { token, password: 'another-long-password', address: HERE });
  }

  test('leads to no session, neither at once nor by a second step', async () => {
    const app = getApp();
    const login = await checkedLogin(app);
    await startSecondStep(app, login);
    const { id: stepId } = await app.db.userToken.findFirstOrThrow({ where: { userId: login.userId } });
    await reset(app, login.userId);
    await expect(finishLogin(app, login.userId, client, login)).rejects.toMatchObject(refused);
    await expect(finishLogin(app, login.userId, client, { stepId })).rejects.toMatchObject(refused);
    await expect(startSecondStep(app, login)).rejects.toMatchObject(refused);
    expect([await app.db.session.count(), await app.db.userToken.count()]).toEqual([0, 0]);
  });

  test('leads to no session at the same moment either', async () => {
    const app = getApp();
    const login = await checkedLogin(app);
    for (let round = 0; round < 4; round += 1) {
      const { passwordHash } = await app.db.user.findUniqueOrThrow({ where: { id: login.userId } });
      let isReset = false;
      const resetting = reset(app, login.userId).finally(() => (isReset = true));
      while (!isReset) {
        await finishLogin(app, login.userId, client, { passwordHash: passwordHash! }).catch(() => {});
        // On SQLite a login never waits, so that the reset would never continue.
        await setImmediate();
      }
      await resetting;
      expect(await app.db.session.count()).toBe(0);
    }
  });
});

test('an unknown account takes as long as a known one', async () => {
  const app = await createTestApp();
  await createAdministrator(app, administrator);
  const timed = async (fields: Record<string, string>, address: string) => {
    const started = performance.now();
    await attempt(app, fields, address);
    return performance.now() - started;
  };
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let round = 0; round < 3; round += 1) {
    times.known.push(await timed(wrong, `10.0.0.${round}`));
    times.unknown.push(await timed({ email: 'nobody@example.org', password: 'x' }, `10.0.1.${round}`));
  }
  await app.close();
  const median = (values: number[]) => values.sort((a, b) => a - b)[1]!;
  // A comparison that is left out would be a hundred times as fast.
  expect(median(times.unknown) / median(times.known)).toBeGreaterThan(0.2);
});
