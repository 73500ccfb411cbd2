import { isDeepStrictEqual } from 'node:util';
import { findText } from '../../../base/match/text-language/find-text.ts';
import { jsonEqual } from '../../../base/match/json-equal.ts';
import { hashHex } from '../../../base/match/hash-text.ts';
import type { Assertion } from '../../../base/model/assertion.ts';
import { plainFaults } from '../../../base/model/fault.ts';
import type { Json } from '../../../base/model/json.ts';
import type { ReplyRequirements } from '../../../base/model/reply-requirements.ts';
import type { CheckableAssertion, CheckableTest } from '../checkable-test.ts';
import type { RequirementsOf } from '../requirements-of.ts';
import { sortedJson } from './sorted-json.ts';
import { whatItChecks } from './what-it-checks.ts';

export interface SharedQuestion {
  /** The assertion of the later test. */
  readonly assertion: Assertion;
  /** The line of the earlier one. */
  readonly line: number;
  /** Both check the same, or no answer satisfies both. */
  readonly is: 'same' | 'opposite';
}

interface Known {
  readonly line: number;
  readonly place: string;
  readonly what: string;
  readonly step: number;
  readonly wanted: ReplyRequirements;
}

/** More questions of one file are not remembered. */
const MOST_QUESTIONS = 20_000;

/** Tests of one file that ask the same: two of them should not check the same, and must not contradict each other. */
export class SameQuestions {
  private readonly questions = new Map<string, Known[]>();
  private readonly wantedBy: RequirementsOf;

  constructor(wantedBy: RequirementsOf) {
    this.wantedBy = wantedBy;
  }

  /** The first one, where there are several: the others follow from it. */
  add({ authored, steps, whole }: CheckableTest): SharedQuestion | undefined {
    const { memory, target, targets, conversation_id, faults = [] } = authored;
    const asked = authored.steps.map(({ input_messages }) => input_messages);
    const rest = [memory, target, targets, conversation_id, plainFaults(faults)].map(
      (value) => value ?? null,
    );
    const key = hashHex(sortedJson([asked, rest] as unknown as Json));
    const line = (authored.row ?? authored.place).line;
    const own = [...steps.map((list, step) => ({ list, step })), { list: whole, step: -1 }].flatMap(
      ({ list, step }) =>
        list
          .filter(({ weight, wanted }) => weight > 0 && wanted.about.some((part) => COMPARED.has(part)))
          .map((each) => this.known(each, { step, line })),
    );
    const before = this.questions.get(key);
    if (before === undefined && this.questions.size < MOST_QUESTIONS)
      this.questions.set(
        key,
        own.map(({ known }) => known),
      );
    if (before === undefined) return undefined;
    for (const { assertion, known } of own)
      for (const other of before) {
        if (other.step !== known.step) continue;
        if (other.what === known.what) {
          // Evaluators of the whole file are in every test.
          if (other.place === known.place) continue;
          return { assertion, line: other.line, is: 'same' };
        }
        if (areOpposite(other.wanted, known.wanted)) return { assertion, line: other.line, is: 'opposite' };
      }
    return undefined;
  }

  private known(
    { assertion, wanted }: CheckableAssertion,
    { step, line }: Pick<Known, 'step' | 'line'>,
  ): { readonly assertion: Assertion; readonly known: Known } {
    const { file, line: row, column } = assertion.place;
    // What compares with the expected answer of its test is another check in another test.
    const isOwn = isDeepStrictEqual(this.wantedBy(assertion, []), wanted);
    const what = `${whatItChecks(assertion)}${isOwn ? '' : sortedJson(wanted as unknown as Json)}`;
    return { assertion, known: { line, place: `${file}:${row}:${column}`, what, step, wanted } };
  }
}

const COMPARED: ReadonlySet<string> = new Set(['output', 'tools', 'memory']);

function areOpposite(a: ReplyRequirements, b: ReplyRequirements): boolean {
  if (a.rule !== undefined && b.rule !== undefined && findText([a.rule, b.rule]) === 'none') return true;
  if (a.tools_used !== undefined && b.tools_used !== undefined)
    return !isDeepStrictEqual(a.tools_used, b.tools_used);
  if (a.json?.isExact === true && b.json?.isExact === true && !jsonEqual(a.json.value, b.json.value))
    return true;
  const [one, other] = [a.memory_rule, b.memory_rule];
  return (
    one !== undefined &&
    other !== undefined &&
    one.path === other.path &&
    one.negate !== true &&
    other.negate !== true &&
    'equals' in one.says &&
    'equals' in other.says &&
    !jsonEqual(one.says.equals, other.says.equals)
  );
}
