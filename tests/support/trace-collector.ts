import { once } from 'node:events';
import { createServer } from 'node:http';

/** A span as OTLP in JSON carries it, its attributes as one object. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Record<string, string | number>;
  /** 2 for an error. */
  status: number;
}

interface Payload {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes' | 'status'> & RawSpan)[] }[];
  }[];
}
interface RawSpan {
  attributes: Attribute[];
  status: { code?: number };
}
interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

/** A collector for traces on loopback: takes OTLP over HTTP, in JSON. */
export async function startTraceCollector() {
  const spans: ReceivedSpan[] = [];
  const services = new Set<unknown>();
  const collector = { spans, services, authorization: undefined as string | undefined, hangs: false };
  const server = createServer(async (request, response) => {
    if (collector.hangs) return;
    let body = '';
    for await (const chunk of request) body += String(chunk);
    collector.authorization = request.headers.authorization;
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    for (const { resource, scopeSpans } of (JSON.parse(body) as Payload).resourceSpans) {
      services.add(valuesOf(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: valuesOf(span.attributes), status: span.status.code ?? 0 });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return Object.assign(collector, {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  });
}

export type TraceCollector = Awaited<ReturnType<typeof startTraceCollector>>;

function valuesOf(attributes: Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}
