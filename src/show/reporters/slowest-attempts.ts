import type { AttemptRecord } from '../../base/model/record.ts';
import type { Colors } from './colors.ts';
import { formatDuration } from '../../base/model/duration.ts';
import { escapeShortLine } from './terminal-text.ts';

type SlowAttempt = Pick<AttemptRecord, 'file' | 'line' | 'test' | 'target' | 'repeat'> & {
  readonly duration_ms: number;
};

/** For `--durations N`: the slowest attempts of a run. */
export class SlowestAttempts {
  private readonly most: number;
  private kept: SlowAttempt[] = [];
  private attempts = 0;
  private hasRepeats = false;

  /** `asked`: how many; 0 for all. */
  constructor(asked: number) {
    this.most = asked === 0 ? Infinity : asked;
  }

  add({ file, line, test, target, repeat, duration_ms, verdict }: AttemptRecord): void {
    if (verdict === 'skipped' || duration_ms === undefined) return;
    this.attempts++;
    this.hasRepeats ||= repeat > 1;
    this.kept.push({ file, line, test, target, repeat, duration_ms });
    if (this.kept.length >= 2 * this.most + 100) this.sort();
  }

  text(colors: Colors, { hasTargets }: { readonly hasTargets: boolean }): string {
    if (this.attempts === 0) return '';
    this.sort();
    const noun = this.hasRepeats || hasTargets ? 'attempt' : 'test';
    const head = `Slowest ${this.kept.length} of ${this.attempts} ${noun}${this.attempts === 1 ? '' : 's'}`;
    const times = this.kept.map(({ duration_ms }) => formatDuration(duration_ms));
    const width = Math.max(...times.map((time) => time.length));
    const lines = this.kept.map(({ file, line, test, target, repeat }, index) => {
      const by = hasTargets ? ` [${escapeShortLine(target)}]` : '';
      const nth = this.hasRepeats ? ` #${repeat}` : '';
      const place = colors.dim(`${escapeShortLine(file)}:${line}`);
      return `  ${times[index]!.padStart(width)}  ${escapeShortLine(test)}${by}${nth}  ${place}`;
    });
    return `\n${[colors.bold(head), ...lines].join('\n')}\n`;
  }

  private sort(): void {
    this.kept.sort((a, b) => b.duration_ms - a.duration_ms);
    if (this.kept.length > this.most) this.kept.length = this.most;
  }
}
