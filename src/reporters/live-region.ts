import { formatDollars } from '../model/dollars.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Colors } from './colors.ts';
import { formatDuration } from './summary-lines.ts';
import { cutToWidth, escapeShortLine } from './terminal-text.ts';
import { monotonicMs, startInterval, startTimer, stopTimer } from '../system-time.ts';

export interface LiveOutput {
  readonly isTTY: boolean;
  readonly columns: number;
  write(text: string): unknown;
}

const REDRAW_MS = 100;
const WRITE_MS = 20;
const RUNNING_SHOWN = 4;
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * On a terminal, the last lines show what is happening, below the final output. Elsewhere only final output is
 * written.
 */
export class LiveRegion {
  private readonly output: LiveOutput;
  private readonly colors: Colors;
  private readonly running = new Map<string, { readonly name: string; readonly since: number }>();
  private readonly counts = { passed: 0, failed: 0, error: 0, skipped: 0 };
  private readonly began_at = monotonicMs();
  private cost = 0;
  private planned: number | undefined;
  private fleet = '';
  private timer: NodeJS.Timeout | undefined;
  private writeTimer: NodeJS.Timeout | undefined;
  private waiting = '';
  private drawnLines = 0;
  private frame = 0;

  constructor(output: LiveOutput, colors: Colors) {
    this.output = output;
    this.colors = colors;
  }

  start(planned: number | undefined): void {
    this.planned = planned;
    if (this.output.isTTY) this.timer = startInterval(() => this.redraw(), REDRAW_MS).unref();
  }

  /** Who works on the run, at the end of the progress line. */
  showFleet(fleet: string): void {
    this.fleet = fleet;
  }

  began(id: string, name: string): void {
    if (this.output.isTTY) this.running.set(id, { name, since: monotonicMs() });
  }

  ended({ id, verdict, cost_usd = 0, judge_cost_usd = 0 }: AttemptRecord): void {
    this.running.delete(id);
    this.counts[verdict]++;
    this.cost += cost_usd + judge_cost_usd;
  }

  /** A line that stays. Lines are written together: one write per line would cost more than most tests. */
  print(line: string): void {
    this.waiting += `${line}\n`;
    this.writeTimer ??= startTimer(() => this.flush(), WRITE_MS);
  }

  end(): void {
    stopTimer(this.timer);
    this.flush();
  }

  /** Writes the buffered lines, so that other output comes after them. */
  flush(): void {
    stopTimer(this.writeTimer);
    this.writeTimer = undefined;
    const text = this.erase() + this.waiting;
    this.waiting = '';
    if (text !== '') this.output.write(text);
  }

  private redraw(): void {
    const lines = this.lines();
    this.flush();
    this.output.write(`${lines.join('\n')}\n`);
    this.drawnLines = lines.length;
    this.frame++;
  }

  private erase(): string {
    if (this.drawnLines === 0) return '';
    const sequence = `\u001b[${this.drawnLines}A\u001b[0J`;
    this.drawnLines = 0;
    return sequence;
  }

  private lines(): readonly string[] {
    const now = monotonicMs();
    const running = [...this.running.values()].slice(0, RUNNING_SHOWN);
    const more = this.running.size - running.length;
    return [
      ...running.map(({ name, since }) =>
        this.fit(
          `  ${SPINNER[this.frame % SPINNER.length]} ${escapeShortLine(name)}`,
          ` ${formatDuration(now - since)}`,
        ),
      ),
      ...(more > 0 ? [this.colors.dim(`    and ${more} more`)] : []),
      this.progress(now),
    ];
  }

  private progress(now: number): string {
    const { passed, failed, error, skipped } = this.counts;
    const done = passed + failed + error + skipped;
    const seconds = (now - this.began_at) / 1000;
    const rate = done / Math.max(seconds, 0.001);
    const left = this.planned === undefined || done === 0 ? undefined : ((this.planned - done) / rate) * 1000;
    const parts = [
      `${done}${this.planned === undefined ? '' : `/${this.planned}`} done`,
      failed > 0 ? this.colors.red(`${failed} failed`) : '',
      error > 0 ? this.colors.yellow(`${error} with errors`) : '',
      `${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`,
      this.cost > 0 ? formatDollars(this.cost) : '',
      left !== undefined && left > 1000 ? `${formatDuration(left)} left` : '',
      this.fleet,
    ];
    return this.colors.dim('  ') + parts.filter((part) => part !== '').join(this.colors.dim(' · '));
  }

  private fit(text: string, tail: string): string {
    const room = Math.max(20, this.output.columns - tail.length - 1);
    return cutToWidth(text, room) + this.colors.dim(tail);
  }
}
