import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Clock } from '#app/platform/clock.ts';
import { isConfigured, type Env } from '#app/platform/env.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { chunksOfWeb, readBeginning } from '#app/platform/files/chunks.ts';
import { parseJson } from '#app/platform/json.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { notChecked, type Finding, ok, problem, warning } from './finding.ts';

const ADDRESS_MS = 5_000;
/** More than this server's answers have: another one's may never end. */
const ANSWER_BYTES = 64 * 1024;
/** With fewer days left, an automatic renewal has failed: it happens earlier. */
const RENEW_DAYS = 14;

/** Asks the site at its public address: whether it is this one, its certificate, and the proxy's headers. */
export async function checkSiteAddress(
  env: Pick<Env, 'siteUrl'>,
  variables: Record<string, string | undefined>,
  clock: Clock,
): Promise<Finding> {
  // Which names the variable.
  if (!isConfigured(variables.AUTH_URL)) return notChecked('environment');
  const url = new URL(env.siteUrl);
  const certificate = url.protocol === 'https:' ? await readCertificate(url, clock) : null;
  if (certificate && certificate.days < 0)
    return problem(`The certificate of ${url.host} has expired. Renew it.`);
  if (certificate?.refusal)
    return problem(
      `The certificate of ${url.host} is not trusted (${certificate.refusal}). ${trustAdvice(certificate.refusal)}`,
    );
  let answer: Response;
  let body: string;
  try {
    answer = await fetch(`${env.siteUrl}/api/health`, {
      redirect: 'manual',
      // A proxy that sets this header replaces it; one that does not passes it on.
      headers: { 'x-forwarded-proto': 'http' },
      signal: AbortSignal.timeout(ADDRESS_MS),
    });
    body = await answerText(answer);
  } catch (error) {
    const reason = messageOf((error as { cause?: unknown }).cause ?? error);
    return problem(`${env.siteUrl} does not answer (${reason}). Start the server, or look at proxy and DNS.`);
  }
  if (answer.status !== 200)
    return problem(
      `${env.siteUrl}/api/health answers ${answer.status}. ${
        [502, 503, 504].includes(answer.status)
          ? 'The proxy does not reach Dateline: start the server, and compare PORT with the port in the proxy’s configuration.'
          : 'Look at the proxy.'
      }`,
    );
  if (!isHealth(body))
    return problem(
      `${env.siteUrl} leads to something else than Dateline. Look at AUTH_URL, DNS and the proxy.`,
    );
  if (url.protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(url.hostname))
    return warning(`${env.siteUrl} is not HTTPS: nobody stays logged in.`);
  if (url.protocol === 'https:' && !answer.headers.has('strict-transport-security'))
    return warning(
      'The proxy does not set X-Forwarded-Proto to https, or TRUST_PROXY does not count that proxy. Set both as docs/operations/host.md says.',
    );
  if (certificate && certificate.days < RENEW_DAYS)
    return warning(`The certificate of ${url.host} expires in ${certificate.days} days. Renew it.`);
  if (new URL(variables.AUTH_URL!).pathname !== '/')
    return warning(
      `The path in AUTH_URL is left out: the site is at ${env.siteUrl}, never below a path. Correct AUTH_URL.`,
    );
  return ok(`${env.siteUrl} answers.`);
}

/** The beginning of an answer's text. */
export async function answerText({ body }: Response): Promise<string> {
  return body ? readBeginning(chunksOfWeb(body), ANSWER_BYTES) : '';
}

/** What to do about a certificate, by the reason for which Node does not trust it. */
function trustAdvice(refusal: string): string {
  if (refusal.includes('ALTNAME'))
    return 'It is for another name: get one for this name, or correct AUTH_URL.';
  // Node reads the variable before `.env.local` is loaded.
  const ownAuthority =
    'with an authority of your own, name its certificate in NODE_EXTRA_CA_CERTS (set by cron or the shell: .env.local is too late)';
  if (/LEAF_SIGNATURE|ISSUER/.test(refusal))
    return `Let the proxy send the whole chain (fullchain.pem); ${ownAuthority}.`;
  return `Get one from a public authority; ${ownAuthority}.`;
}

function isHealth(body: string): boolean {
  const health = parseJson(body) as { data?: { status?: unknown } | null } | null | undefined;
  return health?.data?.status === 'ok';
}

interface Certificate {
  /** Until it expires. */
  days: number;
  /** Why Node does not trust it. */
  refusal: string | null;
}

/** Null if the certificate cannot be read. */
function readCertificate(url: URL, clock: Clock): Promise<Certificate | null> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const options = {
      host,
      port: Number(url.port) || 443,
      // TLS asks for a certificate by a name, never by an IP address.
      servername: isIP(host) ? undefined : host,
      rejectUnauthorized: false,
    };
    const socket = connect(options, () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      // A code or a sentence, although its type is `Error`.
      const refusal: unknown = socket.authorizationError;
      socket.destroy();
      const days = Math.floor((Date.parse(validTo) - clock.now().getTime()) / DAY_MS);
      resolve(Number.isNaN(days) ? null : { days, refusal: refusal ? messageOf(refusal) : null });
    });
    socket.setTimeout(ADDRESS_MS, () => socket.destroy());
    socket.once('error', () => resolve(null)).once('close', () => resolve(null));
  });
}
