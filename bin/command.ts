import type { App } from '#app/app.ts';
import { rowsOf, tableText } from './table.ts';

/** Prints a command's result: one JSON object on stdout and nothing else. */
export function printResult(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** `--json` of a command that prints a table on a terminal. */
export const jsonOption = {
  json: { type: 'boolean', default: false, describe: 'JSON on a terminal too' },
} as const;

/** Prints a report: a table on a terminal, else, and with `--json`, as `printResult`. */
export function printReport(result: object, { json, rows }: { json: boolean; rows?: string[][] }): void {
  if (json || !process.stdout.isTTY) printResult(result);
  else process.stdout.write(`${tableText(rows ?? rowsOf(result), process.stdout.columns || 80)}\n`);
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
