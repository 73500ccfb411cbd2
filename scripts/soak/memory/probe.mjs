// For `node --expose-gc --import`: records at intervals how much memory this process uses after a garbage collection.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { ASSAY_SOAK_PROBE: file, ASSAY_SOAK_PROBE_MS: every } = process.env;
const { gc } = globalThis;

function look() {
  gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  appendFileSync(
    file,
    `${JSON.stringify({ pid: process.pid, at: Date.now(), held: heapUsed + external, rss })}\n`,
  );
}

if (isMainThread) setInterval(look, Number(every)).unref();
