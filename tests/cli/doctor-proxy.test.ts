// What doctor says about certificate and proxy headers of a site behind HTTPS.
import { readFile } from 'node:fs/promises';
import { createServer as createPlainServer, request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { makeCertificate } from '#tests/support/certificate.ts';
import { runCommand } from '#tests/support/command.ts';
import { startServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

let app: TestApp;
const proxies: Server[] = [];
let backend: string;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  backend = (await startServer({ env: { ...app.variables, AUTH_URL: 'https://localhost' } })).url;
});

afterAll(() => proxies.forEach((proxy) => proxy.close()));

/** HTTPS in front of the server. `headers`: what it sets. */
async function startProxy({ days = 400, headers = {} }: { days?: number; headers?: Record<string, string> }) {
  const { certificate, key } = makeCertificate(await tempFolder(), 'localhost', { days });
  const options = { cert: await readFile(certificate), key: await readFile(key) };
  const proxy = createServer(options, (incoming, answer) => {
    request(backend + incoming.url, { headers: { ...incoming.headers, ...headers } }, (theirs) => {
      answer.writeHead(theirs.statusCode!, theirs.headers);
      theirs.pipe(answer);
    }).end();
  });
  proxies.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return { port: (proxy.address() as AddressInfo).port, certificate };
}

async function diagnose(address: string, certificate?: string) {
  const trust: Record<string, string> = certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate };
  const { stderr, json } = await runCommand(['doctor'], {
    env: { ...app.variables, AUTH_URL: address, ...trust },
  });
  const { checks } = json<{ checks: { name: string; status: string; message: string }[] }>();
  const { status, message } = checks.find(({ name }) => name === 'AUTH_URL')!;
  return { stderr, status, message };
}

it('doctor tells a good proxy from one that does not set X-Forwarded-Proto', async () => {
  const good = await startProxy({ headers: { 'x-forwarded-proto': 'https' } });
  const address = `https://localhost:${good.port}`;
  expect(await diagnose(address, good.certificate)).toEqual({
    stderr: '',
    status: 'ok',
    message: `${address} answers.`,
  });
  const silent = await startProxy({});
  expect(await diagnose(`https://localhost:${silent.port}`, silent.certificate)).toEqual({
    stderr: '',
    status: 'warning',
    message: expect.stringContaining('TRUST_PROXY does not count that proxy') as string,
  });
});

it('doctor names a certificate that is not trusted, is for another name, or expires soon', async () => {
  const { port, certificate } = await startProxy({ days: 10, headers: { 'x-forwarded-proto': 'https' } });
  const soon = await diagnose(`https://localhost:${port}`, certificate);
  expect(soon).toMatchObject({
    status: 'warning',
    message: `The certificate of localhost:${port} expires in 9 days. Renew it.`,
  });
  const start = (host: string) => `The certificate of ${host}:${port} is not trusted (`;
  expect(await diagnose(`https://localhost:${port}`)).toEqual({
    stderr: '',
    status: 'problem',
    message: expect.stringContaining(`${start('localhost')}DEPTH_ZERO_SELF_SIGNED_CERT)`) as string,
  });
  expect(await diagnose(`https://127.0.0.1:${port}`, certificate)).toEqual({
    stderr: '',
    status: 'problem',
    message: `${start('127.0.0.1')}ERR_TLS_CERT_ALTNAME_INVALID). It is for another name: get one for this name, or correct AUTH_URL.`,
  });
});

it('doctor tells an address that leads to another site from a proxy that does not reach the server', async () => {
  let status = 200;
  const other = createPlainServer((_incoming, answer) => {
    answer.writeHead(status).end('<h1>This domain is for sale</h1>');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  expect(await diagnose(address)).toEqual({
    stderr: '',
    status: 'problem',
    message: `${address} leads to something else than Dateline. Look at AUTH_URL, DNS and the proxy.`,
  });
  status = 502;
  expect((await diagnose(address)).message).toContain(
    'answers 502. The proxy does not reach Dateline: start the server, and compare PORT',
  );
  other.close();
});
