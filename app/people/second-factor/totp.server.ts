import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;

/** A new secret in Base32, which people can type into their app. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The `otpauth:` address that an authenticator app reads from a QR code. */
export function totpAddress(secret: string, account: { site: string; email: string }): string {
  return totpOf(secret, account).toString();
}

/**
 * The 30-second step that a code belongs to (RFC 6238); null for a wrong code. Accepts a clock that is one step off.
 * The caller must refuse this step and all earlier ones afterwards.
 */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

function totpOf(secret: string, account?: { site: string; email: string }): TOTP {
  return new TOTP({
    issuer: account?.site,
    label: account?.email,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}
