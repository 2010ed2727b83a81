import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';

/** What a process prints that logs by `code`; the log writes to the descriptor itself. */
function printed(code: string, readable = false): string {
  return execFileSync(process.execPath, scriptOf(code, readable), { cwd: projectRoot, encoding: 'utf8' });
}

function scriptOf(code: string, readable = false): string[] {
  const script = `
    import { createLog } from './app/platform/log.server.ts';
    const log = createLog('debug', 1, { readable: ${readable} });
    ${code}`;
  return ['--import', 'tsx', '--input-type=module', '-e', script];
}

test('a line is JSON with a time, and holds neither secrets nor addresses nor tokens', () => {
  const lines = printed(`
    const error = new Error('550 <ada@example.org> refused; postgresql://me:hunter2@db/x');
    Object.assign(error, { code: 'E550', envelope: { to: ['ada@example.org'] }, query: { password: 'hunter2' } });
    log.error({ err: error }, 'Mail');
    log.warn({ reason: 'rejected: ada@example.org', password: 'hunter2', user: { email: 'ada@example.org' } }, 'x');
    log.info({ path: '/admin/reset/Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA' }, 'request');
    log.info({ path: '/posts/a-long-slug-of-more-than-twenty-characters' }, 'request');
    log.info({ path: '/ada%40example.org' }, 'request');`)
    .trim()
    .split('\n');
  const [mail, warning, reset, post] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.join('\n')).not.toMatch(/ada|hunter2|Zm9v/);
  expect(mail).toMatchObject({ level: 50, msg: 'Mail', err: { type: 'Error', code: 'E550' } });
  expect(mail!.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(warning).toMatchObject({ reason: 'rejected: …@…' });
  expect(reset).toMatchObject({ path: '/admin/reset/…' });
  expect(post).toMatchObject({ path: '/posts/a-long-slug-of-more-than-twenty-characters' });
});

test('developers get lines to read', () => {
  const text = printed(`log.warn({ reason: 'because', ms: 12 }, 'Something');`, true);
  expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}Something reason="because" ms=12\n$/);
});

test('a full disk does not end a process that logs', () => {
  const full = openSync('/dev/full', 'w');
  const code = `for (let line = 0; line < 3; line += 1) log.error('x'.repeat(800_000)); console.error('alive');`;
  const { status, stderr } = spawnSync(process.execPath, scriptOf(code), {
    cwd: projectRoot,
    encoding: 'utf8',
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'alive\n' });
});
