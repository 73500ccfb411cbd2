// Loaded before a program, for bench/prove-guard.mjs: what it does after its start takes a share longer, or needs a share more memory.
const share = Number(process.env.BENCH_SLOWER);
const { cpuMs: startMs, peakMb: startMb } = JSON.parse(process.env.BENCH_START);
// Not for what it starts.
delete process.env.BENCH_SLOWER;

process.on('exit', () => {
  if (startMb === undefined) {
    const used = usedMs();
    const end = used + share * (used - startMs);
    while (usedMs() < end);
  } else {
    const peakMb = process.resourceUsage().maxRSS / 1024;
    const missingMb = peakMb + share * (peakMb - startMb) - process.memoryUsage.rss() / 1024 / 1024;
    Buffer.alloc(missingMb * 1024 * 1024, 1);
  }
});

// Its own listener comes after the one above.
const { usedMs } = require('./report-usage.cjs');
