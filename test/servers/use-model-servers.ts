import { afterEach } from 'vitest';
import { startModelServer, type ModelServer, type Turn } from './model-server.ts';

/** For the tests of one file: starts a model server with these turns. Each one is closed after the test that started it. */
export function useModelServers(): (...turns: readonly Turn[]) => Promise<ModelServer> {
  const servers: ModelServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  return async (...turns) => {
    const server = await startModelServer(turns);
    servers.push(server);
    return server;
  };
}
