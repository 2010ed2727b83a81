import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTestApp } from '#tests/support/app.ts';
import { openBrowserSession } from '#tests/support/browser-session.ts';
import { startServer } from '#tests/support/server.ts';

const RATE = 8_000;

test('a browser plays a sound at its own address, as a link to an episode leads there', async () => {
  const app = await createTestApp({ now: new Date() });
  const file = path.join(app.env.uploadsDir, '2026/11/second.wav');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, silence());
  const server = await startServer({ env: app.variables });
  const { page, close } = await openBrowserSession(app, server, null);
  await page.goto('/uploads/2026/11/second.wav');
  const duration = () =>
    page.locator('video, audio').evaluate((player) => (player as HTMLMediaElement).duration);
  await expect.poll(duration).toBe(1);
  await close();
  await server.stop();
  await app.close();
});

/** A second of silence as a WAV file: 16 bits, one channel. */
function silence(): Buffer {
  const bytes = RATE * 2;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(bytes, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return Buffer.concat([header, Buffer.alloc(bytes)]);
}
