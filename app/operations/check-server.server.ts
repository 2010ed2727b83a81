import { randomBytes } from 'node:crypto';
import { isConfigured, type Env } from '#app/platform/env.server.ts';
import { parseJson } from '#app/platform/json.ts';
import { application } from '#app/platform/project.server.ts';
import type { Configured, Db } from '#app/platform/services.ts';
import { answerText } from './check-site-address.server.ts';
import { notChecked, ok, problem, warning, type Finding } from './finding.ts';
import {
  COMPARISON_PATH,
  comparisonHeader,
  comparisonSchema,
  signedMark,
  type Comparison,
} from './server-comparison.server.ts';

const ANSWER_MS = 10_000;

/** An address for documentation (RFC 5737), which no client has. */
const FORGED = '192.0.2.77';

export type ServerFindings = Record<'auth_secret' | 'cron_secret' | 'instance' | 'forwarded', Finding>;

/** Compares this environment with the server at the site's address. It answers there. */
export async function checkServer(app: Db & Configured): Promise<ServerFindings> {
  const { env } = app;
  const nonce = randomBytes(24).toString('base64url');
  const answer = await fetch(env.siteUrl + COMPARISON_PATH, {
    redirect: 'manual',
    headers: { Authorization: comparisonHeader(app, nonce), 'X-Forwarded-For': FORGED },
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => null);
  const body = parseJson(answer ? await answerText(answer).catch(() => '') : '') as
    | { data?: unknown }
    | null
    | undefined;
  const comparison = comparisonSchema.safeParse(body?.data);
  if (!comparison.success) return withoutAnswer(env, answer?.status);
  const { data } = comparison;
  return {
    auth_secret: secretFinding('AUTH_SECRET', env.authSecret, data.authSecret),
    cron_secret: secretFinding('INTERNAL_CRON_SECRET', env.internalCronSecret, data.internalCronSecret),
    instance: await instanceFinding(app, data, nonce),
    forwarded: forwardedFinding(env, data),
  };
}

/** Of a server that cannot be asked: no problem of its own. @param first the check whose problem is in the way */
export function serverNotChecked(first: string): ServerFindings {
  const finding = warning(notChecked(first).message);
  return { auth_secret: finding, cron_secret: finding, instance: finding, forwarded: finding };
}

function withoutAnswer(env: Env, status: number | undefined): ServerFindings {
  if (status !== 401) {
    const reason =
      status === 404
        ? 'It runs an older version: restart it after an upgrade'
        : `It answers ${status ?? 'nothing'}`;
    const finding = warning(
      `The server at ${env.siteUrl} cannot be compared with this environment. ${reason}.`,
    );
    return { auth_secret: finding, cron_secret: finding, instance: finding, forwarded: finding };
  }
  // A server that shares one of the secrets would have answered.
  return {
    ...serverNotChecked('auth_secret'),
    auth_secret: secretFinding('AUTH_SECRET', env.authSecret, false),
    cron_secret: secretFinding('INTERNAL_CRON_SECRET', env.internalCronSecret, false),
  };
}

function secretFinding(name: string, own: string | undefined, isShared: boolean | null): Finding {
  if (!isConfigured(own)) return problem(`${name} is not set here. Set it as for the server.`);
  if (isShared === null)
    return problem(`${name} is not set for the running server. Set it there, and restart it.`);
  if (!isShared)
    return problem(
      `${name} is not that of the running server. Use the same one, and restart the server after a change.`,
    );
  return ok(`${name} is that of the running server.`);
}

async function instanceFinding(app: Db & Configured, server: Comparison, nonce: string): Promise<Finding> {
  if (server.instance === null) return problem('The running server has no database at the moment.');
  if (server.instance !== (await signedMark(app, nonce)))
    return problem('The running server uses another database. Compare DATABASE_URL here and there.');
  if (server.version !== application.version)
    return warning(
      `The running server is version ${server.version}, this is ${application.version}. Restart it after an upgrade.`,
    );
  return ok(`The running server uses this database, with version ${server.version}.`);
}

function forwardedFinding(env: Env, { seen, port }: Comparison): Finding {
  const site = new URL(env.siteUrl);
  const sitePort = Number(site.port) || (site.protocol === 'https:' ? 443 : 80);
  const isBehindProxy = sitePort !== port;
  const messages: string[] = [];
  if (seen.protocol !== site.protocol)
    messages.push(
      `The server sees ${seen.protocol.slice(0, -1)}: let the proxy set X-Forwarded-Proto, and TRUST_PROXY count it.`,
    );
  if (seen.host !== site.host)
    messages.push(`The server sees the host ${seen.host}: let the proxy pass Host on, or correct AUTH_URL.`);
  if (isBehindProxy && !seen.isForwarded)
    messages.push('The proxy does not set X-Forwarded-For: all readers count as one. Set it.');
  else if (isBehindProxy && seen.address === FORGED)
    messages.push(
      'A client can choose its own address: let the proxy replace or extend X-Forwarded-For, and compare TRUST_PROXY with the number of proxies.',
    );
  if (messages.length > 0) return problem(messages.join(' '));
  return ok(
    isBehindProxy
      ? 'The server sees readers as the proxy does.'
      : 'There is no proxy in front of the server.',
  );
}
