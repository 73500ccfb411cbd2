import { isJsonObject, ownValue } from '../../base/model/json.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { SkillShare, SkillTriggers } from '../../base/model/skill-triggers.ts';
import { wilsonInterval } from '../../base/stats/wilson-interval.ts';
import { skillOf } from '../../base/match/skill-of.ts';

interface Trigger {
  readonly skill: string;
  readonly should_trigger: boolean;
}

/** Which skill was used where which one was expected, over the tests of trigger files. */
export class TriggerCount {
  private readonly counts = new Map<
    string,
    { readonly expected: Trigger; readonly used: string; count: number }
  >();
  private unmeasured = 0;

  add(record: AttemptRecord): void {
    const trigger = record.metadata === undefined ? undefined : ownValue(record.metadata, 'skill_trigger');
    if (!isJsonObject(trigger ?? null) || record.verdict === 'skipped') return;
    const expected = trigger as unknown as Trigger;
    if (record.verdict === 'error') {
      this.unmeasured++;
      return;
    }
    const calls = record.steps.flatMap(({ tool_calls = [] }) => tool_calls);
    const used = calls.map(skillOf).find((skill) => skill !== undefined) ?? NONE;
    const key = JSON.stringify([expected.skill, expected.should_trigger, used]);
    const known = this.counts.get(key);
    if (known === undefined) this.counts.set(key, { expected, used, count: 1 });
    else known.count++;
  }

  summary(): SkillTriggers | undefined {
    const all = [...this.counts.values()];
    if (all.length === 0 && this.unmeasured === 0) return undefined;
    const skills = [...new Set(all.map(({ expected }) => expected.skill))].sort();
    return {
      skills: skills.map((skill) => {
        const isUsed = (used: string): boolean => (skill === ANY ? used !== NONE : used === skill);
        const wanted = all.filter(({ expected }) => expected.should_trigger && expected.skill === skill);
        // A query that must not trigger another skill says nothing about this one.
        const judged = all.filter(
          ({ expected, used }) => isUsed(used) && (expected.should_trigger || expected.skill === skill),
        );
        const right = wanted.filter(({ used }) => isUsed(used));
        return {
          skill,
          recall: shareOf(countAll(right), countAll(wanted)),
          precision: shareOf(countAll(right), countAll(judged)),
        };
      }),
      confusion: all
        .map(({ expected, used, count }) => ({ expected: labelOf(expected), used, count }))
        .sort((one, other) => (`${one.expected} ${one.used}` < `${other.expected} ${other.used}` ? -1 : 1)),
      unmeasured: this.unmeasured,
    };
  }
}

const NONE = 'none';
const ANY = '*';

function labelOf({ skill, should_trigger }: Trigger): string {
  const name = skill === ANY ? 'any skill' : skill;
  return should_trigger ? name : `not ${name}`;
}

function countAll(counted: readonly { readonly count: number }[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0);
}

function shareOf(count: number, total: number): SkillShare {
  const { share, low, high } = wilsonInterval(count, total);
  return share === undefined ? { count, total } : { count, total, share, low: low!, high: high! };
}
