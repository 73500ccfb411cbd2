import type { AssertionOutcome } from '../../base/model/evidence.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import { byType } from '../../base/schema/by-type.ts';
import { list } from '../../base/schema/list.ts';
import { boolean, number, text } from '../../base/schema/values.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { knownCalls, madeCalls, unknownCalls } from '../made-calls.ts';
import { loadedSkill, readPath, shellLine } from '../../base/match/skill-of.ts';
import { unmeasured } from '../unmeasured.ts';

const skill = text({ nonEmpty: true });
const count = number({ min: 0, integer: true });

/** A call of a tool that loads skills, or one that reads a file of the skill. */
export const skillUsed = defineEvaluator({
  kind: 'skill_used',
  doc: 'The agent used the skill: it called the tool `Skill`, or read a file under `skills/NAME/`.',
  example: { value: 'pdf' },
  reads: ['tools'],
  isBinary: true,
  fields: {
    value: {
      schema: byType({ string: skill, array: list(skill, { nonEmpty: true }) }),
      doc: 'The name of the skill, or several; `*` stands for any characters.',
      missing: 'missing_value',
    },
    min: { schema: count, doc: 'Each at least this often. Default: 1, and 0 with `max`.' },
    max: { schema: count, doc: 'Each at most this often.' },
    part: {
      schema: boolean(),
      doc: 'What the tool `Skill` is called with only has to contain the name. Default: false.',
    },
  },
  evaluate({ value, max, min = max === undefined ? 1 : 0, part = false }, { reply }): AssertionOutcome {
    const wanted = [value].flat() as readonly string[];
    const calls = madeCalls(reply);
    const known = calls ?? knownCalls(reply) ?? [];
    const used = wanted.map((name) => ({
      name,
      times: known.filter((call) => uses(call, name, part)).length,
    }));
    const over = used.filter(({ times }) => max !== undefined && times > max);
    // More calls than are known can only break an upper limit, and can only help a lower one.
    const isDecided = calls !== undefined || over.length > 0 || (max === undefined && least(used) >= min);
    if (!isDecided) return unmeasured(unknownCalls(reply));
    const under = used.filter(({ times }) => times < min);
    const held = over.length === 0 && under.length === 0;
    return {
      score: held ? 1 : 0,
      message: held ? 'the skills were used as expected' : undefined,
      expected: value,
      actual: known.map(({ tool }) => tool),
      misses: [...under, ...over].map(({ name, times }) => `${name} was used ${times} times`),
    };
  },
  oracle({ value, max, min = max === undefined ? 1 : 0 }) {
    const names = ([value].flat() as readonly string[]).filter((name) => !name.includes('*'));
    const calls = names.map((name) => ({ tool: 'Skill', input: { skill: name } }));
    if (max === 0) return { unwanted: [{ calls: calls.slice(0, 1) }] };
    return min === 0
      ? undefined
      : { calls: calls.flatMap((call) => Array.from({ length: min }, () => call)) };
  },
});

function least(used: readonly { readonly times: number }[]): number {
  return Math.min(...used.map(({ times }) => times));
}

function uses(call: RecordedToolCall, name: string, isPart: boolean): boolean {
  const pattern = name.split('*').map(escaped).join('[^/]*');
  const folder = new RegExp(`(?:^|[/\\\\])skills[/\\\\]${pattern}[/\\\\]`);
  const loaded = loadedSkill(call);
  if (loaded !== undefined)
    return isPart ? loaded.includes(name) : new RegExp(`(?:^|[:/])${pattern}$`).test(loaded);
  if (folder.test(readPath(call) ?? '')) return true;
  const instructions = new RegExp(`(?:^|[/\\\\\\s'"])skills[/\\\\]${pattern}[/\\\\]SKILL\\.md`);
  if (instructions.test(shellLine(call) ?? '')) return true;
  const { output } = call;
  return output !== undefined && folder.test(typeof output === 'string' ? output : printJson(output));
}

function escaped(part: string): string {
  return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
