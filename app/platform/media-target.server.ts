import { isIP } from 'node:net';
import path from 'node:path';
import { AppError } from './errors.ts';

/** Where media files are kept: `MEDIA_STORE`, `media:move --to`, `backup:run --to`. */
export type MediaTarget = { kind: 'file'; folder: string } | S3Target;

export interface S3Target {
  kind: 's3';
  bucket: string;
  /** Ends with `/` unless it is empty. */
  prefix: string;
  /** Origin without a trailing slash. */
  endpoint: string;
  region: string;
  /** The bucket is in the path, not in the host's name. */
  pathStyle: boolean;
  /** Readers are redirected to signed addresses of the bucket. */
  redirect: boolean;
  accessKeyId: string;
  secretAccessKey: string;
}

/** What `S3_ACCESS_KEY_ID` and `S3_SECRET_ACCESS_KEY` hold. */
export interface S3Credentials {
  accessKeyId?: string;
  secretAccessKey?: string;
}

const DEFAULT_REGION = 'us-east-1';
const options = ['endpoint', 'region', 'pathStyle', 'redirect'];

/**
 * Reads the address of a media store.
 * @param name the variable or option, for the message
 * @throws AppError `not_configured` with one line that says what is wrong
 */
export function mediaTarget(address: string, credentials: S3Credentials, name: string): MediaTarget {
  const store = readMediaAddress(address, name);
  return store.kind === 'file' ? store : { ...store, ...requireCredentials(credentials, name) };
}

/** Reads the address of a media store without its credentials. @throws as `mediaTarget` */
export function readMediaAddress(
  address: string,
  name: string,
): Exclude<MediaTarget, S3Target> | Omit<S3Target, keyof S3Credentials> {
  if (address.startsWith('file:')) return { kind: 'file', folder: folderOf(address, name) };
  if (address.startsWith('s3:')) return readS3Address(address, name);
  throw refuse(`${name} must begin with file: (a folder) or s3:// (a bucket)`);
}

/** Where a bucket answers. */
export function originOf({ endpoint, bucket, pathStyle }: S3Target): string {
  const url = new URL(endpoint);
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}

/** The address of a store as people wrote it, without credentials. */
export function addressOf(target: MediaTarget): string {
  if (target.kind === 'file') return `file:${target.folder}`;
  return `s3://${target.bucket}/${target.prefix}`.replace(/\/$/, '');
}

function folderOf(address: string, name: string): string {
  const folder = address.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
  if (folder === '') throw refuse(`${name} names no folder after file:`);
  return path.resolve(folder);
}

function readS3Address(address: string, name: string): Omit<S3Target, keyof S3Credentials> {
  const [, bucket, prefix = '', query = ''] =
    /^s3:\/\/([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(address) ?? [];
  if (!bucket || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw refuse(`${name} must be like s3://bucket/folder?endpoint=https://…&region=…`);
  const values = new URLSearchParams(query);
  const unknown = [...values.keys()].find((key) => !options.includes(key));
  if (unknown !== undefined)
    throw refuse(`${name} has an unknown option ${unknown}: it takes ${options.join(', ')}`);
  const region = values.get('region') || DEFAULT_REGION;
  const endpoint = endpointOf(values.get('endpoint') ?? `https://s3.${region}.amazonaws.com`, name);
  return {
    kind: 's3',
    bucket,
    prefix: prefixOf(prefix, name),
    endpoint,
    region,
    pathStyle: pathStyleOf(flagOf(values, 'pathStyle', name), endpoint, bucket),
    redirect: flagOf(values, 'redirect', name) ?? false,
  };
}

function requireCredentials(
  { accessKeyId, secretAccessKey }: S3Credentials,
  name: string,
): Required<S3Credentials> {
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey };
  const missing = [
    ...(accessKeyId ? [] : ['S3_ACCESS_KEY_ID']),
    ...(secretAccessKey ? [] : ['S3_SECRET_ACCESS_KEY']),
  ];
  throw refuse(
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not configured, but ${name} names an s3:// store`,
  );
}

function prefixOf(given: string, name: string): string {
  const segments = given.split('/').filter((segment) => segment !== '');
  if (segments.some((segment) => !/^[\w.-]+$/.test(segment) || /^\.+$/.test(segment)))
    throw refuse(`${name} has a folder with other characters than letters, digits, - . and _`);
  return segments.map((segment) => `${segment}/`).join('');
}

function endpointOf(given: string, name: string): string {
  if (!/^https?:\/\//.test(given) || !URL.canParse(given))
    throw refuse(`${name}: endpoint must be an address such as https://s3.eu-central-1.amazonaws.com`);
  return new URL(given).origin;
}

function flagOf(values: URLSearchParams, option: string, name: string): boolean | null {
  const given = values.get(option);
  if (given !== null && given !== 'true' && given !== 'false')
    throw refuse(`${name}: ${option} must be true or false`);
  return given === null ? null : given === 'true';
}

function pathStyleOf(given: boolean | null, endpoint: string, bucket: string): boolean {
  const { hostname, protocol } = new URL(endpoint);
  const hasNoSubdomains = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.');
  // A certificate for *.s3.example.org does not fit a bucket's name with dots.
  const breaksCertificate = protocol === 'https:' && bucket.includes('.');
  return given ?? (hasNoSubdomains || breaksCertificate);
}

function refuse(message: string): AppError {
  return new AppError('not_configured', message);
}
