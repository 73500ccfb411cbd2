// Loaded before a program, for bench/prove-guard.mjs: at its end it takes more CPU time (ms), or more memory (MB).
const { cpuMs = 0, peakMb = 0 } = JSON.parse(process.env.BENCH_MORE ?? '{}');
// Not for what it starts.
delete process.env.BENCH_MORE;

process.on('exit', () => {
  const end = usedMs() + cpuMs;
  while (usedMs() < end);
  if (peakMb === 0) return;
  const missingMb = process.resourceUsage().maxRSS / 1024 - process.memoryUsage.rss() / 1024 / 1024 + peakMb;
  Buffer.alloc(missingMb * 1024 * 1024, 1);
});

function usedMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
