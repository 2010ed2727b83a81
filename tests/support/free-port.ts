import { createServer } from 'node:net';

// Each process has ports of its own, below those that the kernel gives away. A port of the kernel's choice can be given
// to another test, too, until the server listens on it; that test then reads the wrong site.
const FIRST = 11_000;
const PORTS_EACH = 100;
const PROCESSES = 210;
let given = 0;

/** A TCP port on loopback that was free a moment ago, and that no other test is given for now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (process.pid % PROCESSES) * PORTS_EACH + (given % PORTS_EACH);
    given += 1;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
