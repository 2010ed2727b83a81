import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What stands between a server and its clients, and may fail in the ways that networks and hosts do. */
export interface TcpProxy {
  port: number;
  /** Connections stay and take bytes, nothing comes through: a frozen host. */
  hang(): void;
  /** Connections are cut and new ones refused: a dead process. */
  cut(): void;
  /** All is well again; what was held back comes through. */
  mend(): void;
  stop(): Promise<void>;
}

export async function startTcpProxy(targetPort: number, host = '127.0.0.1'): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: 'fine' | 'hanging' | 'cut' = 'fine';
  const server = createServer((client) => {
    if (state === 'cut') return void client.destroy();
    const upstream = connect(targetPort, host);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      if (state === 'hanging') socket.pause();
      socket.on('data', (chunk) => void other.write(chunk));
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      if (state === 'hanging') socket.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port: (server.address() as AddressInfo).port,
    hang() {
      state = 'hanging';
      for (const socket of sockets) socket.pause();
    },
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      state = 'fine';
      for (const socket of sockets) socket.resume();
    },
    stop,
  };
}
