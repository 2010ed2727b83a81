import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';

/** A message as the receiver got it. */
export interface ReceivedMessage {
  headers: IncomingHttpHeaders;
  body: string;
  json: { type: string; timestamp: string; data: Record<string, unknown> };
}

export interface WebhookReceiver {
  url: string;
  port: number;
  received: ReceivedMessage[];
  /** Decides what the receiver answers; until it is set, 200. */
  answer: (message: ReceivedMessage, response: ServerResponse, count: number) => void;
  close(): Promise<void>;
}

/** A server that keeps every message it gets. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const isJson = request.headers['content-type']?.includes('json') === true;
      const json = (isJson ? JSON.parse(body) : {}) as ReceivedMessage['json'];
      const message = { headers: request.headers, body, json };
      receiver.received.push(message);
      receiver.answer(message, response, receiver.received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    answer: (_message, response) => void response.writeHead(204).end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/**
 * Checks a message with the specification's own package, at the time of the message: tests set the server's clock.
 * @throws if no signature fits
 */
export function verifyMessage({ headers, body }: ReceivedMessage, secret: string): void {
  vi.useFakeTimers({ now: Number(headers['webhook-timestamp']) * 1000, toFake: ['Date'] });
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}
