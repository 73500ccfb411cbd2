import { spawnSync } from 'node:child_process';
import { growthOf, inMegabytes } from './growth.ts';
import type { SteadyOptions, SteadyPart } from './steady-part.ts';
import { steadyRun } from './steady-run.ts';
import { steadyView } from './steady-view.ts';
import { steadyWorker } from './steady-worker.ts';

export interface MemorySoak {
  /** A line for each process. */
  readonly lines: readonly string[];
  readonly violations: readonly string[];
}

const RUNS = (['function', 'command', 'http'] as const).map(
  (target) => (options: SteadyOptions) => steadyRun({ ...options, target }),
);

/** Long-lived processes in parallel. None may use more memory at the end than after its warm-up. */
export async function memorySoak(options: SteadyOptions): Promise<MemorySoak> {
  const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
  const parts = await Promise.all(
    [...RUNS, steadyView, ...(hasRedis ? [steadyWorker] : [])].map(async (part) => {
      // The others end what they started.
      return part(options).catch((error: unknown) => failed(part.name, error));
    }),
  );
  return {
    lines: [
      ...parts.map(lineOf),
      ...(hasRedis ? [] : ['worker: not measured, for there is no redis-server']),
    ],
    violations: parts.flatMap(violationsOf),
  };
}

function failed(name: string, error: unknown): SteadyPart {
  const problem = error instanceof Error ? error.message : String(error);
  return {
    name,
    samples: [],
    work: { count: 0, of: 'attempts' },
    problems: [problem],
  };
}

function lineOf({ name, samples, work }: SteadyPart): string {
  const { held, rss, heldPerMinute } = growthOf(samples);
  const minutes = ((samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)) / 60_000;
  const perThousand = ((heldPerMinute * minutes) / Math.max(1, work.count)) * 1000;
  const peak = Math.max(...samples.map((sample) => sample.rss));
  return (
    `${name}: ${work.count} ${work.of} in ${minutes.toFixed(1)} minutes, ${samples.length} samples; ` +
    `held ${inMegabytes(held[0])} after the warm-up, ${inMegabytes(held[1])} at the end ` +
    `(${(perThousand / 1024).toFixed(2)} kB per 1,000 ${work.of}); ` +
    `RSS ${inMegabytes(rss[0])}, ${inMegabytes(rss[1])}, at most ${inMegabytes(peak)}`
  );
}

export function violationsOf({ name, samples, problems }: SteadyPart): readonly string[] {
  return [...problems, ...growthOf(samples).problems].map((problem) => `${name}: ${problem}`);
}
