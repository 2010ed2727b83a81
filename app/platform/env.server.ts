import path from 'node:path';
import * as z from 'zod';
import { parseOutboundAllow, type OutboundAllow } from '#app/platform/http/outbound.server.ts';
import { AppError, isAppError } from './errors.ts';
import { mediaTarget, type MediaTarget, type S3Credentials } from './media-target.server.ts';
import { traceTarget, type TraceTarget } from './trace-target.ts';

/** Which of the two databases a URL names. */
export type Dialect = 'sqlite' | 'postgresql';

export type DatabaseTarget =
  | { dialect: 'sqlite'; url: string; file: string }
  | { dialect: 'postgresql'; url: string };

export type SearchTarget = { kind: 'embedded'; file: string } | { kind: 'typesense'; nodes: string[] };

// A placeholder counts as not configured, for every secret (contract, section 1) and for the addresses that
// `.env.example` leaves open; `docker run --env-file` keeps their quotation marks.
const placeholder = /^(['"]?)(<.*>|change-me.*)\1$/i;
/** False for a variable that is blank or still a placeholder. */
export const isConfigured = (value: string | undefined): boolean =>
  Boolean(value?.trim()) && !placeholder.test(value!.trim());
const unlessPlaceholder = z
  .string()
  .optional()
  .transform((value) => (isConfigured(value) ? value : undefined));

const integer = (name: string, min: number, max: number, fallback: number) =>
  z
    .string()
    .optional()
    .transform((value, context) => {
      if (value === undefined) return fallback;
      const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
      if (number >= min && number <= max) return number;
      context.addIssue({ code: 'custom', message: `${name} must be a whole number from ${min} to ${max}` });
      return z.NEVER;
    });

/** Every variable that Dateline reads, on one page; the tables in the docs are compared with it. */
export const environmentSchema = z.object({
  DATABASE_URL: unlessPlaceholder,
  SEARCH_HOST: z.string().optional(),
  SEARCH_API_KEY: unlessPlaceholder,
  AUTH_SECRET: unlessPlaceholder,
  AUTH_URL: unlessPlaceholder,
  INTERNAL_CRON_SECRET: unlessPlaceholder,
  PORT: integer('PORT', 0, 65535, 3000),
  HOST: z.string().optional(),
  UPLOADS_DIR: z.string().optional(),
  MEDIA_STORE: z.string().optional(),
  MEDIA_URL: z.string().optional(),
  S3_ACCESS_KEY_ID: unlessPlaceholder,
  S3_SECRET_ACCESS_KEY: unlessPlaceholder,
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
  NODE_ENV: z.string().default('development'),
  TRUST_PROXY: integer('TRUST_PROXY', 0, 20, 1),
  PAGE_CACHE_MB: integer('PAGE_CACHE_MB', 0, 65_536, 64),
  OUTBOUND_ALLOW: z
    .string()
    .optional()
    .transform((value, context) => {
      const allow = parseOutboundAllow(value);
      if (allow) return allow;
      const message =
        'OUTBOUND_ALLOW must be host names, addresses and CIDR blocks such as 10.0.0.0/8, separated by commas';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }),
  INDEXNOW_ENDPOINT: z
    .url({
      protocol: /^https?$/,
      error: 'INDEXNOW_ENDPOINT must be an address such as https://api.indexnow.org/indexnow',
    })
    .default('https://api.indexnow.org/indexnow'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: unlessPlaceholder,
  OTEL_SERVICE_NAME: z.string().default('dateline'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1' })
    .min(0, { error: 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1' })
    .max(1, { error: 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1' })
    .default(1),
  OTEL_PROPAGATORS: z.string().optional(),
});

/** The parsed environment. */
export interface Env {
  database: DatabaseTarget;
  search: SearchTarget;
  searchApiKey?: string;
  authSecret?: string;
  /** Origin of the site without a trailing slash; absolute URLs begin with it. */
  siteUrl: string;
  internalCronSecret?: string;
  port: number;
  host?: string;
  mediaStore: MediaTarget;
  /** The folder of a `file:` media store; otherwise `UPLOADS_DIR`, where nothing is stored. */
  uploadsDir: string;
  /** Public base address of the media files without a trailing slash; undefined: this server's `/uploads`. */
  mediaUrl?: string;
  s3: S3Credentials;
  logLevel: z.infer<typeof environmentSchema>['LOG_LEVEL'];
  production: boolean;
  trustProxy: number;
  /** Memory for cached pages, in MB; 0 caches none. */
  pageCacheMegabytes: number;
  /** What outgoing requests may reach besides public addresses. */
  outboundAllow: OutboundAllow;
  /** Where addresses that changed are sent if the setting `indexnow` is on. */
  indexNowEndpoint: string;
  /** Undefined: nothing is traced. */
  traces?: TraceTarget;
}

/**
 * Parses the environment.
 * @throws AppError `not_configured` with the contract's text for the first thing that is missing or wrong.
 */
export function parseEnv(source: Record<string, string | undefined>, purpose: 'command' | 'server'): Env {
  const parsed = environmentSchema.safeParse(withoutBlanks(source));
  if (!parsed.success) throw notConfigured(parsed.error.issues[0]!.message);
  const values = parsed.data;
  const production = values.NODE_ENV === 'production';
  const database = databaseTarget(values.DATABASE_URL);
  if (purpose === 'server') {
    if (!values.AUTH_SECRET) throw notConfigured('AUTH_SECRET is not configured');
    if (production && values.AUTH_SECRET.length < 32)
      throw notConfigured('AUTH_SECRET is not configured: in production it has at least 32 characters');
    if (production && !values.AUTH_URL) throw notConfigured('AUTH_URL is not configured');
  }
  const s3 = { accessKeyId: values.S3_ACCESS_KEY_ID, secretAccessKey: values.S3_SECRET_ACCESS_KEY };
  const uploadsDir = path.resolve(values.UPLOADS_DIR ?? 'public/uploads');
  const mediaStore = values.MEDIA_STORE
    ? mediaTarget(values.MEDIA_STORE, s3, 'MEDIA_STORE')
    : ({ kind: 'file', folder: uploadsDir } as const);
  return {
    database,
    search: searchTarget(values.SEARCH_HOST, database),
    searchApiKey: values.SEARCH_API_KEY,
    authSecret: values.AUTH_SECRET,
    siteUrl: originOf(values.AUTH_URL ?? `http://localhost:${values.PORT}`),
    internalCronSecret: values.INTERNAL_CRON_SECRET,
    port: values.PORT,
    host: values.HOST,
    mediaStore,
    uploadsDir: mediaStore.kind === 'file' ? mediaStore.folder : uploadsDir,
    mediaUrl: mediaUrlOf(values.MEDIA_URL),
    s3,
    logLevel: values.LOG_LEVEL,
    production,
    trustProxy: values.TRUST_PROXY,
    pageCacheMegabytes: values.PAGE_CACHE_MB,
    outboundAllow: values.OUTBOUND_ALLOW,
    indexNowEndpoint: values.INDEXNOW_ENDPOINT,
    traces: purpose === 'server' ? traceTarget(values) : undefined,
  };
}

/**
 * The variables without white space around their values, which a shell or a file with line ends of Windows leaves there
 * and no HTTP header can carry. A blank one is unset. `AUTH_SECRET` stays as it is, because what an instance has
 * encrypted with white space in its secret could not be read without.
 */
function withoutBlanks(source: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      value?.trim() ? [[name, name === 'AUTH_SECRET' ? value : value.trim()]] : [],
    ),
  );
}

/** Random secrets are longer and have more different characters. */
const SECRET_MIN_LENGTH = 16;
const SECRET_MIN_DIFFERENT = 6;

/** A warning about secrets that are easy to guess; null when there are none. */
export function weakSecretWarning(env: Pick<Env, 'authSecret' | 'internalCronSecret'>): string | null {
  const secrets = { AUTH_SECRET: env.authSecret, INTERNAL_CRON_SECRET: env.internalCronSecret };
  const weak = Object.entries(secrets)
    .filter(([, value]) => value !== undefined && isWeak(value))
    .map(([name]) => name);
  if (weak.length === 0) return null;
  return `Easy to guess: ${weak.join(' and ')}. Make a new value for each with: openssl rand -base64 32`;
}

function isWeak(secret: string): boolean {
  return secret.length < SECRET_MIN_LENGTH || new Set(secret).size < SECRET_MIN_DIFFERENT;
}

/** Reads a `DATABASE_URL`. @throws AppError `not_configured`. */
export function databaseTarget(url: string | undefined): DatabaseTarget {
  if (!url) throw notConfigured('DATABASE_URL is not configured');
  if (/^postgres(ql)?:\/\//.test(url)) {
    if (hasPlaceholder(url)) throw notConfigured('DATABASE_URL is not configured');
    const schema = schemaOf(url);
    if (schema !== 'public')
      throw notConfigured(
        `DATABASE_URL names the schema ${schema}, and Dateline uses public; leave it out, and give each site its own database`,
      );
    return { dialect: 'postgresql', url: withVerifiedTls(url) };
  }
  const file = fileOf(url);
  if (file) return { dialect: 'sqlite', url: `file:${file}`, file };
  throw notConfigured('DATABASE_URL must begin with file: (SQLite) or postgresql:// (PostgreSQL)');
}

/** True for the password of an example file that nobody has replaced. */
function hasPlaceholder(url: string): boolean {
  // Not with `URL`, which encodes the angle brackets: decoding fails for a password with a percent sign.
  const [, password = ''] = /^\w+:\/\/[^:@/]*:([^@/]*)@/.exec(url) ?? [];
  return placeholder.test(password);
}

function searchTarget(host: string | undefined, database: DatabaseTarget): SearchTarget {
  if (!host) {
    const defaultFile =
      database.dialect === 'sqlite'
        ? database.file.replace(/\.[^./\\]+$/, '') + '.search.db'
        : path.resolve('data/search.db');
    return { kind: 'embedded', file: defaultFile };
  }
  const file = fileOf(host);
  if (file && database.dialect === 'sqlite' && file === database.file)
    throw notConfigured('SEARCH_HOST and DATABASE_URL name the same file; give the search index its own');
  if (file) return { kind: 'embedded', file };
  const nodes = host.split(',').map((node) => node.trim().replace(/\/+$/, ''));
  if (nodes.every((node) => /^https?:\/\//.test(node) && URL.canParse(node)))
    return { kind: 'typesense', nodes };
  throw notConfigured(
    'SEARCH_HOST must begin with file: (embedded engine) or be http(s):// addresses of Typesense nodes, separated by commas',
  );
}

/** The absolute path of a `file:` URL; a relative path counts from the working directory. */
function fileOf(url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  const file = url
    .slice('file:'.length)
    .replace(/^\/\/(?=\/)/, '')
    .replace(/\?.*$/, '');
  return file === '' ? undefined : path.resolve(file);
}

function originOf(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw notConfigured('AUTH_URL must be the address of the site, such as https://blog.example.org');
  return new URL(url).origin;
}

function mediaUrlOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const parsed = /^https?:\/\//.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || parsed.search !== '' || parsed.hash !== '' || parsed.username !== '')
    throw notConfigured('MEDIA_URL must be an address such as https://media.example.org/blog');
  return parsed.href.replace(/\/+$/, '');
}

function notConfigured(message: string): AppError {
  return new AppError('not_configured', message);
}

// Parameters in a `DATABASE_URL` of PostgreSQL that `pg` does not take as their authors mean them.

/** The schema that an address names, as Prisma's tools write it. Ignored, two sites would share all rows. */
function schemaOf(url: string): string {
  const [, schema] = /\?(?:.*&)?schema=([^&]*)/.exec(url) ?? [];
  return schema || 'public';
}

/** The same address. `pg` checks the certificate in these modes too, but warns at each start that it does. */
function withVerifiedTls(url: string): string {
  if (/[?&]uselibpqcompat=true/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/** Stands in for a variable that is missing or wrong, so that the ones after it are read too. */
const substitutes: Record<string, string> = {
  DATABASE_URL: 'file:./data/dateline.db',
  AUTH_SECRET: '-'.repeat(32),
  AUTH_URL: 'http://localhost',
  S3_ACCESS_KEY_ID: '-',
  S3_SECRET_ACCESS_KEY: '-',
};

const names = Object.keys(environmentSchema.shape);

/** Everything for which `parseEnv` would refuse an environment; it names the first only. */
export function listEnvironmentProblems(
  source: Record<string, string | undefined>,
  purpose: 'command' | 'server',
): string[] {
  const messages: string[] = [];
  const variables = { ...source };
  // Each turn replaces at least one variable.
  for (let turns = names.length; turns > 0; turns -= 1) {
    try {
      parseEnv(variables, purpose);
      return messages;
    } catch (error) {
      if (!isAppError(error)) throw error;
      messages.push(error.message);
      // The one at the start is the subject; another is what it depends on.
      const [name, ...others] = (error.message.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []).filter((word) =>
        names.includes(word),
      );
      if (name === undefined) return messages;
      for (const each of isConfigured(variables[name]) ? [name] : [name, ...others])
        variables[each] = substitutes[each];
    }
  }
  return messages;
}
