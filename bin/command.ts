import type { App } from '#app/app.ts';

/** Prints a command's result: one JSON object on stdout and nothing else. */
export function printResult(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Opens an app from the environment, runs a command's work and closes the app. */
export async function withApp<T>(
  work: (app: App) => Promise<T>,
  workers: 'inline' | 'patient' = 'inline',
): Promise<T> {
  const { closeApp, openApp } = await import('#app/compose.server.ts');
  const app = await openApp(workers);
  try {
    return await work(app);
  } finally {
    await closeApp(app);
  }
}
