import { outboundRules, sendOutbound, type OutboundRequest } from '#app/platform/http/outbound.server.ts';
import { say } from '#app/platform/message.ts';
import { readRetryAfter } from './attempts.ts';
import type { Outcome } from './outbox.server.ts';
import type { EffectApp } from './effect-app.ts';

/** Sends one request of an effect. Any 2xx is success. @throws AppError when no answer came */
export async function sendRequest(app: EffectApp, request: OutboundRequest): Promise<Outcome> {
  const { status, headers } = await sendOutbound(outboundRules(app.env.outboundAllow), request);
  if (status >= 200 && status <= 299) return { state: 'done' };
  return {
    state: 'failed',
    error: say('The receiver answered {status}.', { status }),
    retryAfterMs: readRetryAfter(headers['retry-after'], app.clock.now()),
  };
}
