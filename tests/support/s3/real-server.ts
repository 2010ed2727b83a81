import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { AwsClient } from 'aws4fetch';
import { freePort } from '#tests/support/free-port.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const run = promisify(execFile);
const bucket = 'dateline-test';

/** True where Debian's `swift-proxy`, `-account`, `-container` and `-object` are installed, as in CI. */
export const hasRealS3 = (process.env.PATH ?? '')
  .split(path.delimiter)
  .some((folder) => existsSync(path.join(folder, 'swift-proxy-server')));

export interface RealS3 {
  /** For `parseEnv`, commands and servers. */
  variables: Record<string, string>;
  /** Ends all its processes at once. */
  stop(): Promise<void>;
  /** Starts it again after that, with the same data at the same address. */
  startAgain(): Promise<void>;
}

/** Starts a real S3 server (OpenStack Swift) with an empty bucket. */
export async function startRealS3(): Promise<RealS3> {
  const folder = await tempFolder();
  const port = await freePort();
  // Its output goes to its own log files; a pipe would stay open for as long as it runs.
  const script = async (name: string, ...words: string[]) =>
    void (await run('sh', [path.join(import.meta.dirname, name), folder, ...words]));
  const start = () => script('start-server.sh', String(port));
  await start();
  const endpoint = `http://127.0.0.1:${port}`;
  const variables = {
    MEDIA_STORE: `s3://${bucket}/blog?endpoint=${endpoint}&region=us-east-1`,
    S3_ACCESS_KEY_ID: 'test:tester',
    S3_SECRET_ACCESS_KEY: 'testing-secret',
  };
  const client = new AwsClient({
    accessKeyId: variables.S3_ACCESS_KEY_ID,
    secretAccessKey: variables.S3_SECRET_ACCESS_KEY,
    service: 's3',
    region: 'us-east-1',
  });
  const made = await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  if (!made.ok) throw new Error(`The bucket was not made: ${made.status} ${await made.text()}`);
  return {
    variables,
    stop: () => script('stop-server.sh'),
    startAgain: start,
  };
}
