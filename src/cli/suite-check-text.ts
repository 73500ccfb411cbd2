import type { NotChecked } from '../api/check-suite/not-checked.ts';
import type { SuiteCheck } from '../api/check-suite/check-suites.ts';
import type { Colors } from '../show/reporters/colors.ts';
import { escapeLine } from '../show/reporters/terminal-text.ts';
import { grouped } from '../base/model/grouped.ts';

/** The end of a check, for people: what could not be checked, and the result. */
export function suiteCheckText(check: SuiteCheck, colors: Colors): string {
  const { checked, unchecked, skipped, assertions, replies, not_checked } = check;
  const parts = [
    `${count(checked, 'test')} with ${count(assertions, 'assertion')} checked with ${count(replies, 'reply', 'replies')}`,
    unchecked === 0 ? '' : `${count(unchecked, 'test')} not checked`,
    skipped === 0 ? '' : `${grouped(skipped)} skipped`,
  ].filter((part) => part !== '');
  return [
    ...not_checked.map((group) => notCheckedLine(group, colors)),
    ...(not_checked.length === 0 ? [] : ['']),
    `${verdictOf(check, colors)} ${parts.join(', ')}: ${outcome(check)}`,
    '',
  ].join('\n');
}

function notCheckedLine({ kind, reason, assertions, first }: NotChecked, colors: Colors): string {
  const place = `${first.file}:${first.line}:${first.column}`;
  return (
    `${colors.yellow('not checked')} ${count(assertions, 'assertion')} \`${escapeLine(kind)}\`: ${reason} ` +
    colors.dim(`(${assertions === 1 ? '' : 'first at '}${escapeLine(place)})`)
  );
}

/** Unchecked tests are not fine, even if the exit code is 0. */
function verdictOf({ exit_code, unchecked }: SuiteCheck, colors: Colors): string {
  if (exit_code === 3 || (exit_code === 0 && unchecked > 0)) return colors.yellow('?');
  return exit_code === 0 ? colors.green('✓') : colors.red('✗');
}

function outcome({ problems, errors, checked, unchecked }: SuiteCheck): string {
  const parts = [
    problems === 0 ? '' : count(problems, 'problem'),
    errors === 0 ? '' : `${count(errors, 'error')} in files`,
  ].filter((part) => part !== '');
  if (parts.length > 0) return parts.join(', ');
  if (checked === 0) return 'nothing could be checked';
  return unchecked === 0 ? 'no problems' : 'no problems in what could be checked';
}

function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : nouns}`;
}
