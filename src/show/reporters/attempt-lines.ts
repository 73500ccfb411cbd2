import type { AttemptRecord, Verdict } from '../../base/model/record.ts';
import type { Colors } from './colors.ts';
import { formatDuration } from '../../base/model/duration.ts';
import { escapeLine, escapeShortLine } from './terminal-text.ts';
import { transcriptLines } from './transcript-lines.ts';
import { workspaceLines } from './workspace-lines.ts';

export interface AttemptLineContext {
  readonly colors: Colors;
  /** Several targets run: each attempt is named with its own. */
  readonly hasTargets: boolean;
}

/** `✓ booking.test.yaml:12 pays (1.2 s)`. */
export function attemptLine(record: AttemptRecord, { colors, hasTargets }: AttemptLineContext): string {
  const { file, line, test, target, repeat, verdict, skip_reason, duration_ms } = record;
  const parts = [
    markOf(verdict, colors),
    colors.dim(escapeLine(`${file}:${line}`)),
    escapeShortLine(test),
    hasTargets ? colors.dim(`[${escapeShortLine(target)}]`) : '',
    repeat > 1 ? colors.dim(`#${repeat}`) : '',
    verdict === 'skipped'
      ? colors.dim(skip_reason === undefined ? '(skipped)' : `(skipped: ${escapeShortLine(skip_reason)})`)
      : duration_ms === undefined
        ? ''
        : colors.dim(`(${formatDuration(duration_ms)})`),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** The same, with what was said in each step. */
export function attemptTranscript(record: AttemptRecord, context: AttemptLineContext): string {
  const { colors } = context;
  const steps = record.steps.flatMap((step, index) => [
    ...(record.steps.length > 1 ? [`  ${colors.cyan(`step ${index + 1}`)}`] : []),
    ...transcriptLines(step, { colors, hasMessages: true }).lines,
  ]);
  const error = record.error === undefined ? [] : [`  ${colors.yellow(`${record.error.kind} error`)}`];
  return [attemptLine(record, context), ...steps, ...workspaceLines(record, colors), ...error].join('\n');
}

export function attemptDot(verdict: Verdict, colors: Colors): string {
  if (verdict === 'passed') return colors.green('.');
  if (verdict === 'failed') return colors.red('F');
  if (verdict === 'error') return colors.yellow('E');
  return colors.dim(verdict === 'not_graded' ? '?' : 's');
}

function markOf(verdict: Verdict, colors: Colors): string {
  if (verdict === 'passed') return colors.green('✓');
  if (verdict === 'failed') return colors.red('✗');
  if (verdict === 'error') return colors.yellow('!');
  return colors.dim(verdict === 'not_graded' ? '?' : '-');
}
