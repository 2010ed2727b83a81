import { connect } from 'node:tls';
import type { Clock } from '#app/platform/clock.ts';
import type { Env } from '#app/platform/env.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import type { DoctorCheck } from './doctor.server.ts';

const ANSWER_MS = 5_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Certificates of a month or three are renewed well before. */
const RENEW_DAYS = 14;

/** Asks the site at its public address: whether it is this one, its certificate, and the proxy's headers. */
export async function checkSiteAddress(
  env: Pick<Env, 'siteUrl'>,
  variables: Record<string, string | undefined>,
  clock: Clock,
): Promise<Omit<DoctorCheck, 'name'>> {
  if (!variables.AUTH_URL)
    return {
      status: 'problem',
      message: 'AUTH_URL is not configured: feeds, the sitemap and emails need it.',
    };
  const url = new URL(env.siteUrl);
  const expiry = url.protocol === 'https:' ? await daysOfCertificate(url, clock) : null;
  if (expiry !== null && expiry < 0)
    return { status: 'problem', message: `The certificate of ${url.host} has expired. Renew it.` };
  let answer: Response;
  try {
    answer = await fetch(`${env.siteUrl}/api/health`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.arrayBuffer();
  } catch (error) {
    const reason = messageOf((error as { cause?: unknown }).cause ?? error);
    return {
      status: 'problem',
      message: `${env.siteUrl} does not answer (${reason}). Start the server, or look at proxy and DNS.`,
    };
  }
  if (answer.status !== 200)
    return {
      status: 'problem',
      message: `${env.siteUrl}/api/health answers ${answer.status}. Look at the proxy.`,
    };
  if (url.protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(url.hostname))
    return { status: 'warning', message: `${env.siteUrl} is not HTTPS: nobody stays logged in.` };
  if (url.protocol === 'https:' && !answer.headers.has('strict-transport-security'))
    return { status: 'warning', message: 'The proxy does not pass X-Forwarded-Proto: https to the server.' };
  if (expiry !== null && expiry < RENEW_DAYS)
    return {
      status: 'warning',
      message: `The certificate of ${url.host} expires in ${expiry} days. Renew it.`,
    };
  return { status: 'ok', message: `${env.siteUrl} answers.` };
}

/** Days until the certificate expires; null where it cannot be read. */
function daysOfCertificate(url: URL, clock: Clock): Promise<number | null> {
  return new Promise((resolve) => {
    const options = {
      host: url.hostname,
      port: Number(url.port) || 443,
      servername: url.hostname,
      rejectUnauthorized: false,
    };
    const socket = connect(options, () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      socket.destroy();
      const days = Math.floor((Date.parse(validTo) - clock.now().getTime()) / DAY_MS);
      resolve(Number.isNaN(days) ? null : days);
    });
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.once('error', () => resolve(null)).once('close', () => resolve(null));
  });
}
