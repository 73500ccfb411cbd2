import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * - `hold`: nothing gets through, without any error, as with a pulled cable. What was sent is lost.
 * - `stall`: nothing gets through, but what was sent arrives later, as with a server that was stopped for a while.
 * - `cut`: all connections end, and new ones end at once.
 * - `reset`: the same, with a reset.
 * - `reset new`: connections go on, and new ones are reset.
 * - `refuse`: all connections are reset, and nothing listens any more.
 */
export type NetworkFault = 'hold' | 'stall' | 'cut' | 'reset' | 'reset new' | 'refuse';

export interface CutProxy {
  readonly port: number;
  /** How many connections were made so far, and how many chunks went through them. */
  readonly connections: number;
  readonly chunks: number;
  fail(fault: NetworkFault): Promise<void>;
  mend(): Promise<void>;
  stop(): Promise<void>;
}

/** Stands between a process and its server, and fails on demand. */
export async function startCutProxy(target: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let fault: NetworkFault | undefined;
  let connections = 0;
  let chunks = 0;

  const watch = (socket: Socket, other: () => Socket | undefined): void => {
    sockets.add(socket);
    if (fault === 'stall') socket.pause();
    socket
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(socket);
        other()?.destroy();
      })
      .on('data', (bytes) => {
        chunks++;
        if (fault !== 'hold') other()?.write(bytes);
      });
  };
  const server = createServer((client) => {
    connections++;
    if (fault === 'cut') {
      client.on('error', () => {}).destroy();
      return;
    }
    if (fault === 'reset' || fault === 'reset new') {
      client.on('error', () => {}).resetAndDestroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    watch(client, () => upstream);
    watch(upstream, () => client);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const breakAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port,
    get connections() {
      return connections;
    },
    get chunks() {
      return chunks;
    },
    async fail(next) {
      fault = next;
      if (next === 'cut') for (const socket of sockets) socket.destroy();
      if (next === 'stall') for (const socket of sockets) socket.pause();
      if (next === 'reset') breakAll();
      if (next !== 'refuse') return;
      const closed = new Promise((resolve) => server.close(resolve));
      breakAll();
      await closed;
    },
    async mend() {
      const before = fault;
      fault = undefined;
      // What was swallowed cannot be made up for: a connection that was held is broken.
      if (before === 'hold') breakAll();
      if (before === 'stall') for (const socket of sockets) socket.resume();
      if (before === 'refuse') await listen(port);
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
