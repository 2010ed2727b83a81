import type { TestApp } from './app.ts';

/** Runs `meanwhile` once, just before the first transaction that begins when `isReady`. */
export function beforeTransaction(
  app: TestApp,
  isReady: () => Promise<boolean>,
  meanwhile: () => Promise<unknown>,
): TestApp {
  let waiting = true;
  const db = new Proxy(app.db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== '$transaction' || typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        if (waiting && (await isReady())) {
          waiting = false;
          await meanwhile();
        }
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
  return { ...app, db };
}
