// Loaded before a program: prints, when it ends, how much CPU time (ms) and memory (MB) it used.
const { readFileSync } = require('node:fs');

// Processes that it starts load this too. What they used is in its own sum.
if (process.env.BENCH_USAGE_OF === undefined) process.on('exit', report);
process.env.BENCH_USAGE_OF ??= `${process.pid}`;

function report() {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000 + childrenMs(), peakMb: maxRSS / 1024 };
  process.stderr.write(`\nUSAGE=${JSON.stringify(usage)}\n`);
}

/** What ended children used, in hundredths of a second: work that moves into a child must not look like a gain. */
function childrenMs() {
  try {
    const [, after] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8'));
    const fields = after.split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return 0;
  }
}
