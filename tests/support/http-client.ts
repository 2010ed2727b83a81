import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** As it came over the wire: still compressed when the request asked for that. */
  body: Buffer;
  text: string;
  json<T = Record<string, unknown>>(): T;
}

export type Fields = Record<string, string | readonly string[]>;

/** A visitor: keeps cookies, follows no redirect, sends only the header `Host` unless asked. */
export interface Client {
  get(path: string, headers?: OutgoingHttpHeaders): Promise<Answer>;
  /** Sends a form as a browser without JavaScript does. */
  post(path: string, fields?: Fields, headers?: OutgoingHttpHeaders): Promise<Answer>;
  /** Sends a multipart form. */
  upload(path: string, form: FormData, headers?: OutgoingHttpHeaders): Promise<Answer>;
  /** Sends any other request, with exactly this path. */
  send(method: string, path: string, headers?: OutgoingHttpHeaders, body?: Buffer | string): Promise<Answer>;
  /** Name → value, as later requests will send them. */
  cookies: Map<string, string>;
}

/** @param origin such as `http://127.0.0.1:3000` */
export function createClient(origin: string): Client {
  const cookies = new Map<string, string>();

  const send: Client['send'] = async (method, path, headers = {}, body) => {
    const sent: OutgoingHttpHeaders = { ...headers };
    if (cookies.size > 0 && sent.cookie === undefined)
      sent.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (body !== undefined) sent['content-length'] = Buffer.byteLength(body);
    const answer = await exchange(origin, method, path, sent, body);
    for (const cookie of answer.headers['set-cookie'] ?? []) keep(cookies, cookie);
    return answer;
  };

  return {
    cookies,
    send,
    get: (path, headers) => send('GET', path, headers),
    post: (path, fields = {}, headers = {}) =>
      send(
        'POST',
        path,
        { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        encode(fields).toString(),
      ),
    async upload(path, form, headers = {}) {
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type')!;
      const body = Buffer.from(await encoded.arrayBuffer());
      return send('POST', path, { 'content-type': type, ...headers }, body);
    },
  };
}

function exchange(
  origin: string,
  method: string,
  path: string,
  headers: OutgoingHttpHeaders,
  body: Buffer | string | undefined,
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  // A new connection for each request: an open one would delay the end of the server.
  const agent = new Agent({ keepAlive: false });
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        resolve({
          status: incoming.statusCode!,
          headers: incoming.headers,
          body: bytes,
          text,
          json: <T>() => JSON.parse(text) as T,
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function encode(fields: Fields): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const item of [value].flat()) form.append(name, item);
  return form;
}

function keep(cookies: Map<string, string>, header: string): void {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
  const cut = pair.indexOf('=');
  const name = pair.slice(0, cut);
  const attribute = (attributeName: string) =>
    attributes
      .find((entry) => entry.toLowerCase().startsWith(`${attributeName}=`))
      ?.slice(attributeName.length + 1);
  const expires = attribute('expires');
  const isExpired =
    attribute('max-age') === '0' || (expires !== undefined && new Date(expires).getTime() <= Date.now());
  if (isExpired) cookies.delete(name);
  else cookies.set(name, pair.slice(cut + 1));
}
