import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseEnv } from '#app/platform/env.server.ts';

const secret = 'a-secret-that-has-more-than-32-characters';
const least = { DATABASE_URL: 'file:./data/dateline.db' };
const production = {
  ...least,
  NODE_ENV: 'production',
  AUTH_SECRET: secret,
  AUTH_URL: 'https://blog.example.org',
};
type Variables = Record<string, string | undefined>;

const command = (variables: Variables) => parseEnv(variables, 'command');
const server = (variables: Variables) => parseEnv(variables, 'server');
const messageOf = (parse: () => unknown): string => {
  try {
    parse();
  } catch (error) {
    expect(error).toMatchObject({ code: 'not_configured' });
    return (error as Error).message;
  }
  return 'accepted';
};

describe('DATABASE_URL', () => {
  const nothing = [
    undefined,
    '',
    ' \t\r\n',
    '<DATABASE_URL>',
    'change-me',
    'postgresql://u:<PASSWORD>@host/db',
  ];
  test.each(nothing)('%j is not configured', (DATABASE_URL) => {
    expect(messageOf(() => command({ DATABASE_URL }))).toBe('DATABASE_URL is not configured');
    expect(messageOf(() => server({ ...production, DATABASE_URL }))).toBe('DATABASE_URL is not configured');
  });

  test('another scheme is refused with one line that names the two', () => {
    const message = messageOf(() => command({ DATABASE_URL: 'mysql://localhost/blog' }));
    expect(message).toMatch(/^DATABASE_URL .*file:.*postgresql:\/\/.*$/);
    expect(messageOf(() => command({ DATABASE_URL: 'file:' }))).toBe(message);
  });

  test('a relative SQLite path counts from the working directory', () => {
    const file = path.resolve('data/dateline.db');
    expect(command(least).database).toEqual({ dialect: 'sqlite', url: `file:${file}`, file });
  });

  test.each([
    ['file:/var/lib/dateline.db', '/var/lib/dateline.db'],
    ['file:///var/lib/dateline.db', '/var/lib/dateline.db'],
    ['file:/var/lib/dateline.db?mode=rw', '/var/lib/dateline.db'],
  ])('%s is a file', (DATABASE_URL, file) => {
    expect(command({ DATABASE_URL }).database).toMatchObject({ dialect: 'sqlite', file });
  });

  // node-postgres warns about these names on standard error at each run of a command.
  test.each(['require', 'prefer', 'verify-ca'])(
    'PostgreSQL with sslmode=%s checks the certificate',
    (mode) => {
      const url = (sslmode: string) => `postgresql://user@host/blog?x=1&sslmode=${sslmode}&y=1`;
      expect(command({ DATABASE_URL: url(mode) }).database.url).toBe(url('verify-full'));
      const asLibpq = `${url(mode)}&uselibpqcompat=true`;
      expect(command({ DATABASE_URL: asLibpq }).database.url).toBe(asLibpq);
    },
  );

  test('a schema of PostgreSQL other than public is refused: it would be ignored', () => {
    const url = 'postgresql://user@host/blog';
    expect(command({ DATABASE_URL: `${url}?schema=public` }).database.dialect).toBe('postgresql');
    for (const query of ['?schema=second', '?x=1&schema=second'])
      expect(() => command({ DATABASE_URL: url + query })).toThrow(/^DATABASE_URL names the schema second, /);
  });

  test.each(['postgresql://user@host/blog', 'postgres://user@host/blog', 'postgresql://user:100%@host/blog'])(
    '%s is PostgreSQL',
    (url) => {
      expect(command({ DATABASE_URL: url }).database).toEqual({ dialect: 'postgresql', url });
    },
  );
});

describe('SEARCH_HOST', () => {
  const search = (variables: Variables) => command({ ...least, ...variables }).search;

  test('unset: embedded, beside a SQLite database', () => {
    expect(search({})).toEqual({ kind: 'embedded', file: path.resolve('data/dateline.search.db') });
    expect(search({ DATABASE_URL: 'file:/srv/blog.d/main' })).toEqual({
      kind: 'embedded',
      file: '/srv/blog.d/main.search.db',
    });
  });

  test('unset with PostgreSQL: embedded, in ./data/search.db', () => {
    const file = path.resolve('data/search.db');
    expect(search({ DATABASE_URL: 'postgresql://host/blog' })).toEqual({ kind: 'embedded', file });
  });

  test('file: is embedded, http(s) are Typesense nodes', () => {
    expect(search({ SEARCH_HOST: 'file:./s.db' })).toEqual({ kind: 'embedded', file: path.resolve('s.db') });
    expect(search({ SEARCH_HOST: 'http://a:8108/, https://b:8108' })).toEqual({
      kind: 'typesense',
      nodes: ['http://a:8108', 'https://b:8108'],
    });
  });

  test.each(['redis://host', 'host:8108', 'http://a:8108,nonsense', 'http://'])('%s is refused', (host) => {
    expect(messageOf(() => search({ SEARCH_HOST: host }))).toMatch(/^SEARCH_HOST must .*$/);
  });
});

describe('the server', () => {
  test('needs AUTH_SECRET, of 32 characters in production', () => {
    expect(messageOf(() => server(least))).toBe('AUTH_SECRET is not configured');
    expect(messageOf(() => server({ ...least, AUTH_SECRET: '<AUTH_SECRET>' }))).toBe(
      'AUTH_SECRET is not configured',
    );
    expect(messageOf(() => server({ ...least, AUTH_SECRET: 'short' }))).toBe('accepted');
    expect(messageOf(() => server({ ...production, AUTH_SECRET: 'x'.repeat(31) }))).toMatch(
      /^AUTH_SECRET is not configured.*32/,
    );
    expect(messageOf(() => server({ ...production, AUTH_SECRET: 'x'.repeat(32) }))).toBe('accepted');
  });

  test('needs AUTH_URL in production, else it is on localhost', () => {
    for (const AUTH_URL of [undefined, '<AUTH_URL>'])
      expect(messageOf(() => server({ ...production, AUTH_URL }))).toBe('AUTH_URL is not configured');
    expect(server({ ...least, AUTH_SECRET: secret }).siteUrl).toBe('http://localhost:3000');
    expect(server({ ...least, AUTH_SECRET: secret, PORT: '8080' }).siteUrl).toBe('http://localhost:8080');
  });

  test('takes the origin of AUTH_URL', () => {
    expect(server({ ...production, AUTH_URL: 'https://blog.example.org/some/path/' }).siteUrl).toBe(
      'https://blog.example.org',
    );
    expect(messageOf(() => server({ ...production, AUTH_URL: 'blog.example.org' }))).toMatch(
      /^AUTH_URL must/,
    );
  });

  test('a placeholder counts as not configured', () => {
    const env = server({
      ...production,
      INTERNAL_CRON_SECRET: '<INTERNAL_CRON_SECRET>',
      SEARCH_API_KEY: 'change-me-now',
    });
    expect(env.internalCronSecret).toBeUndefined();
    expect(env.searchApiKey).toBeUndefined();
    // `docker run --env-file` keeps the quotation marks of `.env.example`.
    expect(server({ ...production, INTERNAL_CRON_SECRET: "'<SECRET>'" }).internalCronSecret).toBeUndefined();
    expect(server({ ...production, INTERNAL_CRON_SECRET: 'real' }).internalCronSecret).toBe('real');
  });
});

test('a command needs the database only', () => {
  const env = command(least);
  expect(env).toMatchObject({
    port: 3000,
    uploadsDir: path.resolve('public/uploads'),
    logLevel: 'info',
    production: false,
    trustProxy: 1,
  });
  expect(env.host).toBeUndefined();
  expect(env.authSecret).toBeUndefined();
});

test.each(['', ' ', '\r'])('a variable of %j is an unset one', (value) => {
  const names = ['PORT', 'LOG_LEVEL', 'NODE_ENV', 'UPLOADS_DIR', 'TRUST_PROXY', 'SEARCH_HOST', 'HOST'];
  const blank = Object.fromEntries(names.map((name) => [name, value]));
  expect(command({ ...least, ...blank })).toEqual(command(least));
  expect(messageOf(() => server({ ...production, AUTH_SECRET: value }))).toBe(
    'AUTH_SECRET is not configured',
  );
  expect(server({ ...production, INTERNAL_CRON_SECRET: value }).internalCronSecret).toBeUndefined();
});

test('white space around a value does not count, but it belongs to AUTH_SECRET', () => {
  const padded = Object.fromEntries(Object.entries(production).map(([name, value]) => [name, ` ${value}\r`]));
  expect(server(padded)).toEqual({ ...server(production), authSecret: ` ${secret}\r` });
});

test.each([
  ['PORT', '65536'],
  ['PORT', '80a'],
  ['PORT', '-1'],
  ['PORT', '1.5'],
  ['PORT', '0x50'],
  ['PORT', '1e3'],
  ['TRUST_PROXY', '21'],
  ['TRUST_PROXY', 'yes'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s is refused with one line that names the variable', (name, value) => {
  expect(messageOf(() => command({ ...least, [name]: value }))).toMatch(new RegExp(`^${name} must .*$`));
});

test.each([
  ['PORT', '0', { port: 0 }],
  ['PORT', '65535', { port: 65535 }],
  ['TRUST_PROXY', '0', { trustProxy: 0 }],
  ['HOST', '127.0.0.1', { host: '127.0.0.1' }],
  ['UPLOADS_DIR', '/srv/uploads', { uploadsDir: '/srv/uploads' }],
])('%s=%s is taken', (name, value, expected) => {
  expect(command({ ...least, [name]: value })).toMatchObject(expected);
});

describe('traces', () => {
  const collector = 'http://127.0.0.1:4318';

  test('go nowhere without a collector, and never from a command', () => {
    expect(server({ ...production, OTEL_SERVICE_NAME: 'blog' }).traces).toBeUndefined();
    expect(command({ ...least, OTEL_EXPORTER_OTLP_ENDPOINT: collector }).traces).toBeUndefined();
  });

  test('go to the collector, and continue no reader’s trace unless told so', () => {
    const variables = { ...production, OTEL_EXPORTER_OTLP_ENDPOINT: `${collector}/` };
    expect(server(variables).traces).toEqual({
      url: `${collector}/v1/traces`,
      headers: {},
      serviceName: 'dateline',
      share: 1,
      continues: false,
    });
    const more = {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-team=news',
      OTEL_SERVICE_NAME: 'blog',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
      OTEL_PROPAGATORS: 'baggage, tracecontext',
    };
    expect(server({ ...variables, ...more }).traces).toMatchObject({
      headers: { authorization: 'Bearer a=b', 'x-team': 'news' },
      serviceName: 'blog',
      share: 0.05,
      continues: true,
    });
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no pair'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['OTEL_TRACES_SAMPLER_ARG', '5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'all'],
  ])('%s=%s is refused with a line that names it', (name, value) => {
    const variables = { ...production, OTEL_EXPORTER_OTLP_ENDPOINT: collector, [name]: value };
    expect(messageOf(() => server(variables))).toMatch(new RegExp(`^${name} must be [^\n]+$`));
  });
});
