import { reaches } from '../model/threshold.ts';
import type { AssertionRecord, AttemptRecord } from '../model/record.ts';
import type { Colors } from './colors.ts';
import { escapeShortLine } from './terminal-text.ts';

/** More evaluators of one group than this are counted, not shown. */
const MAX_SHOWN = 30;

/** Why a scored test got its score: each group of evaluators with its mean, the threshold, and the weights. */
export function scoreLines(record: AttemptRecord, colors: Colors): readonly string[] {
  const groups = evaluatorGroups(record);
  return groups.flatMap(({ name, evaluators }) => {
    const where = groups.length === 1 ? '' : ` ${colors.dim(`(${name})`)}`;
    const mean = meanOf(evaluators);
    const needed = record.threshold === undefined ? '' : `, threshold ${formatScore(record.threshold)}`;
    const isLow = mean !== undefined && record.threshold !== undefined && !reaches(mean, record.threshold);
    const shown = mean === undefined ? 'unknown' : formatScore(mean);
    const head = `  ${colors.dim('score:')} ${isLow ? colors.red(shown) : shown}${needed}${where}`;
    return [head, ...rows(evaluators, colors)];
  });
}

function rows(evaluators: readonly AssertionRecord[], colors: Colors): readonly string[] {
  const shown = evaluators.slice(0, MAX_SHOWN);
  const names = shown.map(({ name }) => escapeShortLine(name));
  const width = Math.min(40, Math.max(...names.map(({ length }) => length)));
  const lines = shown.map((evaluator, index) => {
    const { passed, score, weight, required } = evaluator;
    const mark =
      passed === true ? colors.green('✓') : passed === false ? colors.red('✗') : colors.yellow('!');
    const value = score === undefined ? 'not measured' : formatScore(score);
    const must =
      required === true ? ', required' : typeof required === 'number' ? `, required ${required}` : '';
    return `    ${mark} ${names[index]!.padEnd(width)}  ${value}  ${colors.dim(`weight ${weight}${must}`)}`;
  });
  const more = evaluators.length - shown.length;
  return more === 0 ? lines : [...lines, colors.dim(`    ... and ${more} more evaluators`)];
}

interface EvaluatorGroup {
  readonly name: string;
  readonly evaluators: readonly AssertionRecord[];
}

function evaluatorGroups({ steps, assertions }: AttemptRecord): readonly EvaluatorGroup[] {
  const groups = [
    ...steps.map((step, index) => ({ name: `step ${index + 1}`, assertions: step.assertions })),
    { name: 'whole test', assertions },
  ];
  return groups
    .map(({ name, assertions: all }) => ({
      name,
      evaluators: all.filter(({ form }) => form === 'evaluator'),
    }))
    .filter(({ evaluators }) => evaluators.length > 0);
}

/** Undefined if an evaluator that counts could not be measured. */
function meanOf(evaluators: readonly AssertionRecord[]): number | undefined {
  const counting = evaluators.filter(({ weight }) => weight > 0);
  const weight = counting.reduce((sum, one) => sum + one.weight, 0);
  if (weight === 0) return 0;
  if (counting.some(({ score }) => score === undefined)) return undefined;
  return counting.reduce((sum, one) => sum + one.weight * one.score!, 0) / weight;
}

/** With as many digits as tell it from a threshold. */
export function formatScore(score: number): string {
  return String(Number(score.toFixed(4)));
}

/** The evaluators that failed, or could not be measured, in a test that passed. */
export function failedEvaluators({ steps, assertions }: AttemptRecord): readonly AssertionRecord[] {
  const isFailed = ({ form, passed }: AssertionRecord): boolean => form === 'evaluator' && passed !== true;
  const failed = assertions.filter(isFailed);
  return [...steps.flatMap((step) => step.assertions.filter(isFailed)), ...failed];
}
