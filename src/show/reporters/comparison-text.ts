import type { ComparedRun, Comparison, TestChange } from '../../base/model/comparison.ts';
import { comparisonHeadline, outcomeWords } from '../../base/model/comparison-headline.ts';
import { numbered } from '../../base/model/grouped.ts';
import type { Colors } from './colors.ts';
import {
  byTestSentence,
  detectableSentences,
  leftOutSentences,
  measureWords,
  ownChangesSentence,
  regressionSentence,
  scoreWords,
  testedSentence,
} from '../../base/model/comparison-words.ts';
import { escapeLine } from './terminal-text.ts';

/** If more tests of a kind changed, the rest are counted, not shown. */
const MAX_SHOWN = 20;

/** A comparison for people: the main sentence, then what changed and where, then cost and time. */
export function comparisonText(comparison: Comparison, colors: Colors): string {
  const lines = [
    colors.bold(comparisonHeadline(comparison)),
    ...[ownChangesSentence(comparison), byTestSentence(comparison)].filter((line) => line !== undefined),
    ...(comparison.same_replies === true ? [] : ['', ...sideLines(comparison)]),
  ];
  for (const kind of ['new_failure', 'fix', 'flip', 'score'] as const)
    lines.push(...changeLines(kind, comparison, colors));
  lines.push(...lostLines(comparison, colors));
  const rows = measureRows(comparison);
  if (rows.length > 0) lines.push('', ...rows);
  const notes = [
    ...detectableSentences(comparison),
    ...leftOutSentences(comparison),
    testedSentence(comparison) ?? '',
  ].filter((note) => note !== '');
  if (notes.length > 0) lines.push('', ...notes.map((note) => colors.dim(note)));
  lines.push(...endLines(comparison, colors));
  return `${lines.join('\n')}\n`;
}

function sideLines({ before, after }: Comparison): readonly string[] {
  const row = (name: string, { run_id, passed, measured, targets }: ComparedRun): string =>
    `${name}  ${escapeLine(run_id)}  ${passed} of ${measured} passed  ${escapeLine(targets.join(', '))}`.trimEnd();
  return [row('before', before), row('after ', after)];
}

const TITLES: Readonly<Record<TestChange['kind'], string>> = {
  new_failure: 'New failures',
  fix: 'Fixes',
  flip: 'Flips',
  score: 'Scores',
};

function changeLines(
  kind: TestChange['kind'],
  { changes, before, after }: Comparison,
  colors: Colors,
): readonly string[] {
  const own = changes.filter((change) => change.kind === kind);
  if (own.length === 0) return [];
  const color = { new_failure: colors.red, fix: colors.green, flip: colors.yellow, score: colors.cyan }[kind];
  const mark = { new_failure: '✗', fix: '✓', flip: '~', score: '·' }[kind];
  const hasTargets = before.targets.length > 1 || after.targets.length > 1;
  const shown = own.slice(0, MAX_SHOWN).map((change) => {
    const { file, line, test, target } = change;
    const place = colors.cyan(`${escapeLine(file)}:${line}`);
    const name = `${escapeLine(test)}${hasTargets ? colors.dim(` ${escapeLine(target)}`) : ''}`;
    return `  ${color(mark)} ${place} ${name}  ${colors.dim(outcomeWords(change))}`;
  });
  const hidden = own.length - shown.length;
  if (hidden > 0) shown.push(more(hidden, colors));
  return ['', `${color(TITLES[kind])} ${colors.dim(`(${numbered(own.length, 'test')})`)}`, ...shown];
}

function measureRows(comparison: Comparison): readonly string[] {
  const score = scoreWords(comparison);
  const rows = [
    ...(score === undefined ? [] : [['Mean score', score] as const]),
    ...measureWords(comparison),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, words]) => `${name.padEnd(width)}  ${words}`);
}

/** Why the exit code is not 0. In a re-grade, the verdicts themselves decide, since the replies are the same. */
function endLines(comparison: Comparison, colors: Colors): readonly string[] {
  const sentence = regressionSentence(comparison);
  if (sentence === undefined || comparison.same_replies === true) return [];
  return ['', (comparison.regression.found ? colors.red : colors.yellow)(sentence)];
}

/** Tests that were measured before, and now have only errors. */
function lostLines({ lost_tests }: Comparison, colors: Colors): readonly string[] {
  if (lost_tests.length === 0) return [];
  const shown = lost_tests.slice(0, MAX_SHOWN).map((id) => `  ${colors.yellow('!')} ${escapeLine(id)}`);
  if (lost_tests.length > MAX_SHOWN) shown.push(more(lost_tests.length - MAX_SHOWN, colors));
  return [
    '',
    `${colors.yellow('No result now')} ${colors.dim(`(${numbered(lost_tests.length, 'test')})`)}`,
    ...shown,
  ];
}

function more(hidden: number, colors: Colors): string {
  return colors.dim(`  ... and ${hidden} more; --json has all`);
}
