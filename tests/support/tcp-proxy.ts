import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy between a server and its clients that fails as networks and hosts do. */
export interface TcpProxy {
  port: number;
  /** Connections stay and take bytes, but pass nothing on: a frozen host. */
  hang(): void;
  /** Connections are cut and new ones refused: a dead process. */
  cut(): void;
  /** Works again, and passes on what it held back. */
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
