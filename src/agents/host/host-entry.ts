import { useCompileCache } from '../../base/files/use-compile-cache.ts';

/* What `node` runs for the host of an agent's file. */

void start();

async function start(): Promise<void> {
  await useCompileCache('host');
  (await import('./host-main.ts')).startHost();
}
