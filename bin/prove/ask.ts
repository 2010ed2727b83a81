import http from 'node:http';
import { Readable } from 'node:stream';

/** A request to the server of the restored site. */
export interface Question {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/** Asks a server. A redirect is an answer. */
export type Ask = (question: Question) => Promise<Response>;

/** Asks a server at a Unix socket: nothing of a proof uses a network. @returns also a function that ends its connections */
export function askAt(socketPath: string): { ask: Ask; close: () => void } {
  const agent = new http.Agent({ keepAlive: true });
  const ask: Ask = ({ path, body, ...options }) => {
    const { pathname, search } = new URL(path, 'http://localhost');
    return new Promise((resolve, reject) => {
      const request = http.request({ ...options, agent, socketPath, path: pathname + search }, (answer) => {
        const headers = new Headers();
        for (const [name, values = []] of Object.entries(answer.headersDistinct))
          for (const value of values) headers.append(name, value);
        const status = answer.statusCode ?? 0;
        const content = status === 204 || status === 304 ? null : Readable.toWeb(answer);
        resolve(new Response(content as BodyInit | null, { status, headers }));
      });
      request.on('error', reject).end(body);
    });
  };
  return { ask, close: () => agent.destroy() };
}
