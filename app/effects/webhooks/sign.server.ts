import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret: 32 random bytes, as the Standard Webhooks specification writes them. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** The headers of a message, after the Standard Webhooks specification: one signature for each secret. */
export function signedHeaders(
  { id, body, now }: { id: string; body: string; now: Date },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
