import { stripVTControlCharacters } from 'node:util';
import { formatDollars } from '../../base/model/dollars.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { Colors } from './colors.ts';
import { formatDuration } from '../../base/model/duration.ts';
import { cutToWidth, displayWidth, escapeShortLine } from './terminal-text.ts';
import { monotonicMs, startInterval, startTimer, stopTimer } from '../../base/system/system-time.ts';

export interface LiveOutput {
  /** Lines are redrawn. */
  readonly isTTY: boolean;
  readonly columns: number;
  /** Without redrawn lines: after this much silence a line says how far the run is. Undefined for never. */
  readonly silenceMs?: number | undefined;
  write(text: string): unknown;
}

const REDRAW_MS = 100;
const WRITE_MS = 20;
const RUNNING_SHOWN = 4;
const SEPARATOR = ' · ';
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * On a terminal, the last lines show what is happening, below the final output. Elsewhere only final output is
 * written.
 */
export class LiveRegion {
  private readonly output: LiveOutput;
  private readonly colors: Colors;
  private readonly running = new Map<string, { readonly name: string; readonly since: number }>();
  private readonly counts = { passed: 0, failed: 0, error: 0, skipped: 0, not_graded: 0 };
  private readonly began_at = monotonicMs();
  private cost = 0;
  private planned: number | undefined;
  private fleet = '';
  private timer: NodeJS.Timeout | undefined;
  private writeTimer: NodeJS.Timeout | undefined;
  private waiting = '';
  /** The widths of the lines below the final output. */
  private drawn: readonly number[] = [];
  private frame = 0;
  private writtenAt = monotonicMs();

  constructor(output: LiveOutput, colors: Colors) {
    this.output = output;
    this.colors = colors;
  }

  start(planned: number | undefined): void {
    this.planned = planned;
    const { isTTY, silenceMs } = this.output;
    if (isTTY) this.timer = startInterval(() => this.redraw(), REDRAW_MS).unref();
    else if (silenceMs !== undefined)
      this.timer = startInterval(() => this.breakSilence(silenceMs), silenceMs / 10).unref();
  }

  /** Who works on the run, at the end of the progress line. */
  showFleet(fleet: string): void {
    this.fleet = fleet;
  }

  began(id: string, name: string): void {
    const { isTTY, silenceMs } = this.output;
    if (isTTY || silenceMs !== undefined) this.running.set(id, { name, since: monotonicMs() });
  }

  ended({ id, verdict, cost_usd = 0, judge_cost_usd = 0 }: AttemptRecord): void {
    this.running.delete(id);
    this.counts[verdict]++;
    this.cost += cost_usd + judge_cost_usd;
  }

  /** Text that stays. It is written in larger parts: one write per line would cost more than most tests. */
  print(text: string): void {
    if (text === '') return;
    this.waiting += text;
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
    if (text === '') return;
    this.writtenAt = monotonicMs();
    this.output.write(text);
  }

  /** CI systems end a job that says nothing, and people wonder whether it still runs. */
  private breakSilence(silenceMs: number): void {
    const now = monotonicMs();
    if (this.waiting !== '' || now - this.writtenAt < silenceMs) return;
    const running = [...this.running.values()].map(({ name }) => escapeShortLine(name));
    const [first] = running;
    const others = running.length > 1 ? ` and ${running.length - 1} more` : '';
    const what = first === undefined ? '' : ` · running ${cutToWidth(first, 60)}${others}`;
    this.print(`... ${this.progress(now).trimStart()} · ${formatDuration(now - this.began_at)}${what}\n`);
    this.flush();
  }

  private redraw(): void {
    const lines = this.lines();
    this.flush();
    this.output.write(`${lines.join('\n')}\n`);
    this.drawn = lines.map(widthOf);
    this.frame++;
  }

  private erase(): string {
    if (this.drawn.length === 0) return '';
    // A terminal that was made narrower since has wrapped them.
    const columns = Math.max(1, this.output.columns);
    const rows = this.drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    this.drawn = [];
    // The terminal echoes ^C, so the cursor may be anywhere in its line.
    return `\u001b[${rows}F\u001b[0J`;
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
      ...(more > 0 ? [this.colors.dim(cutToWidth(`    and ${more} more`, this.output.columns - 1))] : []),
      this.progress(now, this.output.columns - 1),
    ];
  }

  /** As many parts as fit: a line that wraps would be two, of which one stays on the screen. */
  private progress(now: number, columns = Infinity): string {
    const { passed, failed, error, skipped, not_graded } = this.counts;
    const done = passed + failed + error + skipped + not_graded;
    const seconds = (now - this.began_at) / 1000;
    const rate = done / Math.max(seconds, 0.001);
    const left = this.planned === undefined || done === 0 ? undefined : ((this.planned - done) / rate) * 1000;
    const { red, yellow, dim } = this.colors;
    const parts: readonly (readonly [text: string, paint?: (text: string) => string])[] = [
      [`${done}${this.planned === undefined ? '' : `/${this.planned}`} done`],
      [failed > 0 ? `${failed} failed` : '', red],
      [error > 0 ? `${error} errored` : '', yellow],
      [`${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`],
      [this.cost > 0 ? formatDollars(this.cost) : ''],
      [left !== undefined && left > 1000 ? `${formatDuration(left)} left` : ''],
      [this.fleet],
    ];
    let room = columns - 2;
    const shown: string[] = [];
    for (const [text, paint = String] of parts) {
      const width = displayWidth(text) + SEPARATOR.length;
      if (text === '' || (shown.length > 0 && width > room)) continue;
      room -= width;
      shown.push(paint(text));
    }
    return `  ${shown.join(dim(SEPARATOR))}`;
  }

  private fit(text: string, tail: string): string {
    const room = this.output.columns - tail.length - 1;
    // In a very narrow terminal the name matters more than its time.
    if (room < 10) return cutToWidth(text, Math.max(1, this.output.columns - 1));
    return cutToWidth(text, room) + this.colors.dim(tail);
  }
}

/** Without the colours. */
function widthOf(line: string): number {
  return displayWidth(stripVTControlCharacters(line));
}
