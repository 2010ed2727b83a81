import { expect, test } from 'vitest';
import { AppError, isAppError, messageOf } from '#app/platform/errors.ts';

test('an AppError of another bundle is known by its brand', () => {
  const error = new AppError('conflict', 'Taken.', { retryAfter: 3 });
  expect(error).toMatchObject({ status: 409, retryAfter: 3, fields: {} });
  expect(isAppError(error)).toBe(true);
  expect(isAppError(Object.assign(new Error('x'), { [Symbol.for('dateline.error')]: true }))).toBe(true);
  for (const other of [new Error('x'), null, undefined, 'conflict', {}])
    expect(isAppError(other)).toBe(false);
});

test('a message is one line', () => {
  expect(messageOf(new Error('first\n  second\n'))).toBe('first second');
  expect(messageOf('plain')).toBe('plain');
});
