/** What a process held at a moment, in bytes. */
export interface Sample {
  /** Milliseconds. */
  readonly at: number;
  /** By V8 and in buffers, when garbage was collected. */
  readonly held: number;
  readonly rss: number;
}

export interface Growth {
  /** Medians of a window after the warm-up and of the last one, in bytes. */
  readonly held: readonly [early: number, late: number];
  readonly rss: readonly [early: number, late: number];
  /** The slope of a line through all samples after the warm-up. */
  readonly heldPerMinute: number;
  readonly problems: readonly string[];
}

/** Memory that is loaded late, such as a V8 page, is not a leak. In an hour, even a small leak is larger than this. */
const HELD_TOLERANCE = 8 * 1024 * 1024;
/** V8 gives back late what it freed: the system's number swings. */
const RSS_TOLERANCE = 96 * 1024 * 1024;
/** Code is loaded and compiled, caches fill up to their limits. */
const WARM_UP = 1 / 3;
const WINDOW = 1 / 6;
/** Fewer make a median of what happens to be held. */
export const FEWEST_SAMPLES = 24;

/** Compares the memory after the warm-up with the memory at the end. */
export function growthOf(samples: readonly Sample[]): Growth {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const size = Math.max(1, Math.floor(samples.length * WINDOW));
  const compare = (of: (sample: Sample) => number): readonly [number, number] => [
    median(warm.slice(0, size).map(of)),
    median(warm.slice(-size).map(of)),
  ];
  const held = compare((sample) => sample.held);
  const rss = compare((sample) => sample.rss);
  const problems: string[] = [];
  if (samples.length < FEWEST_SAMPLES) problems.push(`only ${samples.length} samples were taken`);
  if (held[1] - held[0] > HELD_TOLERANCE)
    problems.push(`it holds ${inMegabytes(held[1] - held[0])} more (at most ${inMegabytes(HELD_TOLERANCE)})`);
  if (rss[1] - rss[0] > RSS_TOLERANCE)
    problems.push(`its RSS grew by ${inMegabytes(rss[1] - rss[0])} (at most ${inMegabytes(RSS_TOLERANCE)})`);
  return { held, rss, heldPerMinute: slopeOf(warm) * 60_000, problems };
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Least squares, in bytes per millisecond. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, held] = [mean((sample) => sample.at), mean((sample) => sample.held)];
  const spread = samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  const together = samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.held - held), 0);
  return spread === 0 ? 0 : together / spread;
}
