import { formatPercent } from './percent.ts';
import type { SkillShare, SkillTriggers } from './skill-triggers.ts';

/** Recall, precision and confusion, a line for each skill and one for each kind of mistake. */
export function skillLines({ skills, confusion, unmeasured }: SkillTriggers): readonly string[] {
  const mistakes = confusion.filter(({ expected, used }) => !isRight(expected, used));
  return [
    ...skills.map(
      ({ skill, recall, precision }) =>
        `${skill === '*' ? 'any skill' : skill}: recall ${shareWords(recall)}, precision ${shareWords(precision)}`,
    ),
    ...mistakes.map(({ expected, used, count }) => `  expected ${expected}, used ${used}: ${count}`),
    ...(unmeasured === 0 ? [] : [`  not measured: ${unmeasured}`]),
  ];
}

function isRight(expected: string, used: string): boolean {
  if (expected === 'any skill') return used !== 'none';
  if (expected === 'not any skill') return used === 'none';
  return expected.startsWith('not ') ? used !== expected.slice(4) : used === expected;
}

function shareWords({ count, total, share, low, high }: SkillShare): string {
  if (share === undefined) return 'not measured';
  return `${count}/${total} (${formatPercent(share)}, 95% confidence interval ${formatPercent(low!)} to ${formatPercent(high!)})`;
}
