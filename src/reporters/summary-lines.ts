import type { AttemptRecord } from '../model/record.ts';
import type { Summary } from '../model/summary.ts';
import type { Colors } from './colors.ts';
import { escapeShortLine } from './terminal-text.ts';

/** A test that takes longer than this is worth naming. */
const SLOW_MS = 300;

export function summaryLines(
  summary: Summary,
  slowest: readonly AttemptRecord[],
  colors: Colors,
): readonly string[] {
  const { tests, passed, failed, error, skipped, flaky, duration_ms, interrupted } = summary;
  const parts = [
    failed > 0 ? colors.red(`${failed} failed`) : '',
    error > 0 ? colors.yellow(`${error} with errors`) : '',
    passed > 0 ? colors.green(`${passed} passed`) : '',
    flaky > 0 ? colors.yellow(`${flaky} flaky`) : '',
    skipped > 0 ? colors.dim(`${skipped} skipped`) : '',
  ].filter((part) => part !== '');
  const lines = [
    `${colors.bold('Tests')}  ${parts.length === 0 ? 'none were run' : parts.join(', ')} ${colors.dim(`(${tests})`)}`,
  ];
  lines.push(`${colors.bold('Time')}   ${formatDuration(duration_ms)}`);
  const slow = slowest.filter((record) => record.duration_ms >= SLOW_MS);
  if (slow.length > 0 && tests > 1) {
    lines.push(
      `${colors.bold('Slow')}   ${slow.map((record) => `${escapeShortLine(record.test)} ${colors.dim(formatDuration(record.duration_ms))}`).join(', ')}`,
    );
  }
  if (interrupted) lines.push(colors.yellow('Interrupted: the tests that were running are not counted.'));
  return lines;
}

export function formatDuration(durationMs: number): string {
  if (durationMs < 1) return `${durationMs.toFixed(2)} ms`;
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(2)} s`;
  return `${Math.floor(durationMs / 60_000)} min ${Math.round((durationMs % 60_000) / 1000)} s`;
}
