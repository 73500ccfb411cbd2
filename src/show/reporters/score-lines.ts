import type { AssertionRecord, AttemptRecord } from '../../base/model/record.ts';
import { exactScore, scoreSums } from '../../base/model/score-sums.ts';
import type { Colors } from './colors.ts';
import { escapeShortLine } from './terminal-text.ts';

/** More evaluators of one group than this are counted, not shown. */
const MAX_SHOWN = 30;

/** Why a scored test got its score: each group of evaluators with its mean, the threshold, and the weights. */
export function scoreLines(record: AttemptRecord, colors: Colors): readonly string[] {
  const sums = scoreSums(record);
  return sums.flatMap(({ name, evaluators, mean, threshold, isLow }) => {
    const where = sums.length === 1 ? '' : ` ${colors.dim(`(${name})`)}`;
    const needed = threshold === undefined ? '' : `, threshold ${exactScore(threshold)}`;
    const shown = mean === undefined ? 'unknown' : exactScore(mean);
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
    const value = score === undefined ? 'not measured' : exactScore(score);
    const must =
      required === true ? ', required' : typeof required === 'number' ? `, required ${required}` : '';
    return `    ${mark} ${names[index]!.padEnd(width)}  ${value}  ${colors.dim(`weight ${weight}${must}`)}`;
  });
  const more = evaluators.length - shown.length;
  return more === 0 ? lines : [...lines, colors.dim(`    ... and ${more} more evaluators`)];
}
