import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Each process has ports of its own, below those that the kernel gives away. A port of the kernel's choice can be given
// to another test, too, until the server listens on it; that test then reads the wrong site.
const FIRST = 11_000;
const PORTS_EACH = 100;
const PROCESSES = 210;
let firstOfThis: Promise<number> | undefined;
let given = 0;

/** A TCP port on loopback that was free a moment ago, and that no other test is given for now. */
export async function freePort(): Promise<number> {
  const first = await (firstOfThis ??= takePorts());
  for (;;) {
    given += 1;
    const port = first + (given % PORTS_EACH);
    // The first one marks the ports as taken.
    if (port !== first && (await isFree(port))) return port;
  }
}

/** Takes the next ports that no other process has, until this process ends. @returns the first of them */
async function takePorts(): Promise<number> {
  for (let index = process.pid; index < process.pid + PROCESSES; index += 1) {
    const first = FIRST + (index % PROCESSES) * PORTS_EACH;
    const mark = await listenOn(first);
    if (!mark) continue;
    mark.unref();
    return first;
  }
  throw new Error('All ports for tests are taken.');
}

async function isFree(port: number): Promise<boolean> {
  const probe = await listenOn(port);
  probe?.close();
  if (probe) await once(probe, 'close');
  return probe !== null;
}

/** @returns null if something listens there already */
function listenOn(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
