import { createServer, request as sendRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Kept {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  keys: string[];
}

/** A cache in front of a site that keeps and purges as Varnish with `xkey` does. */
export interface XkeyCache {
  url: string;
  /** The keys of each purge, and its authorization. */
  purges: { keys: string[]; authorization: string | undefined }[];
  close(): void;
}

/** Starts a cache in front of a server on this host. Each answer says `x-cache: HIT` or `MISS`. */
export async function startXkeyCache(origin: () => string): Promise<XkeyCache> {
  const kept = new Map<string, Kept>();
  const purges: XkeyCache['purges'] = [];
  const server = createServer((request, response) => {
    if (request.method === 'PURGE') {
      const keys = String(request.headers['xkey-purge']).split(' ');
      purges.push({ keys, authorization: request.headers.authorization });
      for (const [url, page] of kept) if (page.keys.some((key) => keys.includes(key))) kept.delete(url);
      response.writeHead(200).end();
      return;
    }
    const url = request.url!;
    const hit = kept.get(url);
    const answer = ({ status, headers, body }: Kept, state: string) =>
      void response.writeHead(status, { ...headers, 'x-cache': state }).end(body);
    if (hit) return answer(hit, 'HIT');
    sendRequest(origin() + url, { headers: { host: request.headers.host } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { headers, statusCode: status = 0 } = incoming;
        const keys = String(headers['surrogate-key'] ?? '').split(' ');
        const page = { status, headers, body: Buffer.concat(chunks), keys };
        if (/s-maxage=[1-9]/.test(headers['cache-control'] ?? '')) kept.set(url, page);
        answer(page, 'MISS');
      });
    }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, purges, close: () => void server.close() };
}
