import { useCompileCache } from '../../base/files/use-compile-cache.ts';

/* What `node` runs for the host of an agent's file. */

// The first module takes a while, and the agent is not known yet. Not in a file that is kept compiled: those cannot import modules.
import(/* @vite-ignore */ `data:text/javascript,//${process.pid}`).catch(() => {});
void start();

async function start(): Promise<void> {
  await useCompileCache('host');
  (await import('./host-main.ts')).startHost();
}
