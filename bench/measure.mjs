// Runs programs and says how long they took and how much memory they had at their peak.
import { spawnSync } from 'node:child_process';

const REPORT_PEAK = `data:text/javascript,process.on('exit',()=>process.stderr.write('\\nPEAK_KB='+process.resourceUsage().maxRSS+'\\n'))`;

/** One run of a Node program: seconds and peak memory in MB. */
export function runNode(args, options = {}) {
  const start = performance.now();
  const result = spawnSync(process.execPath, ['--import', REPORT_PEAK, ...args], {
    maxBuffer: 1 << 30,
    encoding: 'utf8',
    ...options,
  });
  const seconds = (performance.now() - start) / 1000;
  const peak = /PEAK_KB=(\d+)/.exec(result.stderr ?? '');
  return {
    seconds,
    peakMb: peak === null ? undefined : Number(peak[1]) / 1024,
    stdout: result.stdout,
    status: result.status,
  };
}

/** Medians over interleaved rounds, so that noise of the machine hits all of them alike. */
export function compare(contestants, rounds) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) times[name].push(run());
  }
  return Object.fromEntries(Object.entries(times).map(([name, runs]) => [name, medianRun(runs)]));
}

function medianRun(runs) {
  return runs.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(runs.length / 2)];
}

export function table(rows) {
  const columns = Object.keys(rows[0]);
  return [
    `| ${columns.join(' | ')} |`,
    `|${columns.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${columns.map((column) => row[column]).join(' | ')} |`),
  ].join('\n');
}
