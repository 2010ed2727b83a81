import { expect, it } from 'vitest';
import { hostUrls, writerUrl } from '#app/platform/database/postgres.server.ts';

it('an address with one host stays as it is', () => {
  for (const url of [
    'postgresql://user:p,ss@db.example.org:5432/dateline?sslmode=require',
    'postgresql://user@db/dateline?application_name=a,b',
    'postgres://db',
  ]) {
    expect(hostUrls(url)).toEqual([url]);
    expect(writerUrl(url)).toBe(url);
  }
});

it('an address with several hosts is one for each, without what only libpq understands', () => {
  expect(
    hostUrls(
      'postgresql://user:p%40ss@one:5432,two.example.org/d?sslmode=require&target_session_attrs=read-write',
    ),
  ).toEqual([
    'postgresql://user:p%40ss@one:5432/d?sslmode=require',
    'postgresql://user:p%40ss@two.example.org/d?sslmode=require',
  ]);
  expect(
    hostUrls('postgresql://[::1]:5432,[::2]:5433/d?target_session_attrs=read-write&sslmode=prefer'),
  ).toEqual(['postgresql://[::1]:5432/d?sslmode=prefer', 'postgresql://[::2]:5433/d?sslmode=prefer']);
});

it('says why no host takes writes', async () => {
  await expect(writerUrl('postgresql://nobody@127.0.0.1:1,127.0.0.1:2/none')).rejects.toThrow(/ECONNREFUSED/);
});
