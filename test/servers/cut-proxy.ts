import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CutProxy {
  readonly port: number;
  /** Nothing gets through any more, and nobody is told: connections stay open, as with a cable that was pulled. */
  hold(): void;
  /** All connections break, and no new one is accepted. */
  cut(): void;
  mend(): void;
  stop(): Promise<void>;
}

/** Stands between a process and its server, and fails on demand. */
export async function startCutProxy(target: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'held' | 'cut' = 'open';
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {}).on('close', () => sockets.delete(client));
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    sockets.add(upstream);
    upstream
      .on('error', () => client.destroy())
      .on('close', () => {
        sockets.delete(upstream);
        client.destroy();
      });
    client.on('close', () => upstream.destroy());
    client.on('data', (bytes) => (state === 'open' ? upstream.write(bytes) : undefined));
    upstream.on('data', (bytes) => (state === 'open' ? client.write(bytes) : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => void (state = 'held'),
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      // What was swallowed cannot be made up for: a connection that was held is broken.
      if (state === 'held') for (const socket of sockets) socket.destroy();
      state = 'open';
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
