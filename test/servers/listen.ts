import type { AddressInfo, Server } from 'node:net';

/** Starts a server on a free port of the loopback. Returns its URL, without a slash at the end. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
