import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MeasuredOutcome } from '../../src/base/model/evidence.ts';
import type { Json, JsonObject } from '../../src/base/model/json.ts';
import { measure } from './evidence.ts';

/** A case of another system's own tests, with the score that system gives. */
interface Case {
  readonly test: string;
  readonly system: string;
  readonly mode: string;
  readonly options: JsonObject;
  readonly actual: readonly { readonly name: string; readonly args: JsonObject }[];
  readonly expected_calls: readonly { readonly name: string; readonly args: JsonObject }[];
  readonly expected_score: number | null | { readonly passed: boolean; readonly f1?: number };
}

const cases = readFileSync(new URL('../fixtures/trajectory.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

/** What two systems that mean the same must agree on. */
type Agreement =
  /** The score. */
  | 'score'
  /** Whether the claim holds: theirs is 0 or 1 only, ours a fraction below 1. */
  | 'verdict'
  /** The F1 of calls matched, which follows from our aligned diff. */
  | 'f1';

interface Mapping {
  readonly parameters: JsonObject;
  readonly agreement: Agreement;
}

/** What each system's modes are called here. The table in docs/trajectory.md has the same. */
function mappingOf({ system, mode, options }: Case): Mapping {
  switch (system) {
    case 'adk.tool_trajectory_avg_score': {
      const args_match = options['ignore_args'] === true ? 'ignore' : 'exact';
      return { parameters: { mode: mode.toLowerCase(), args_match }, agreement: 'verdict' };
    }
    case 'adk.tool_parameter_match':
      return { parameters: { mode: 'in_order', args_match: 'partial' }, agreement: 'score' };
    case 'pydantic_evals.TrajectoryMatch':
      return { parameters: { mode, args_match: 'ignore' }, agreement: mode === 'exact' ? 'verdict' : 'f1' };
    case 'pydantic_evals.ToolCorrectness': {
      const ours = options['allow_extra'] === true ? 'any_order' : 'unordered';
      return { parameters: { mode: ours, args_match: 'ignore' }, agreement: 'verdict' };
    }
    case 'pydantic_evals.ArgumentCorrectness': {
      const args_match = mode === 'subset' ? 'partial' : 'exact';
      return { parameters: { mode: 'any_order', args_match }, agreement: 'verdict' };
    }
    case 'strands.exact_match_scorer':
    case 'strands.in_order_match_scorer':
    case 'strands.any_order_match_scorer':
      return { parameters: { mode, args_match: 'ignore' }, agreement: 'score' };
    case 'azure.task_navigation_efficiency': {
      const args_match = options['args'] === 'ignored' ? 'ignore' : 'exact';
      return { parameters: { mode: mode.replace('_match', ''), args_match }, agreement: 'verdict' };
    }
    default:
      throw new Error(`no mapping for ${system}`);
  }
}

const TYPES_COUNT = 'arguments are JSON: 1 is not "1", and an object is not a text that spells it';

/** Where the other system is not followed: our score, and why. */
const DIFFERENCES: Readonly<Record<string, { readonly score: number; readonly why: string }>> = {
  'adk.tool_parameter_match/scores_expected_arguments_independently': {
    score: 0,
    why: 'a call is one claim, with its arguments; single arguments are shown in the diff',
  },
  'adk.tool_parameter_match/empty_expected_is_not_evaluated': {
    score: 1,
    why: 'expecting no calls in order is a claim that holds, not something that was not evaluated',
  },
  'strands.exact_match_scorer/test_exact_match_scorer_uneven_match_2': {
    score: 0,
    why: 'theirs lets the fourth call pass, of three expected; an extra call leaves nothing of `exact`',
  },
  'strands.in_order_match_scorer/test_in_order_match_scorer_wrong_order': {
    score: 2 / 3,
    why: 'theirs takes the first fit and loses the rest; two of the three calls are in order',
  },
  'azure.task_navigation_efficiency/param_int_vs_str': { score: 0, why: TYPES_COUNT },
  'azure.task_navigation_efficiency/param_str_vs_int': { score: 0, why: TYPES_COUNT },
  'azure.task_navigation_efficiency/param_bool_vs_str_True': { score: 0, why: TYPES_COUNT },
  'azure.task_navigation_efficiency/param_dict_vs_json_str': { score: 0, why: TYPES_COUNT },
  'azure.task_navigation_efficiency/param_json_str_vs_dict': { score: 0, why: TYPES_COUNT },
  'azure.task_navigation_efficiency/param_list_vs_json_str': { score: 0, why: TYPES_COUNT },
};

/** F1 punishes extra calls that the mode allows: there our score is the share of expected calls, as below. */
const F1_DIFFERENCES: Readonly<Record<string, number>> = {
  in_order_interleaved_extras: 1,
  in_order_expected_empty: 1,
  any_order_partial_overlap: 1 / 3,
  any_order_extras_reduce_score: 1,
  any_order_multiset_semantics: 1 / 2,
  any_order_expected_empty: 1,
  in_order_second_example: 1,
};

describe('tool_trajectory compared with four other systems', () => {
  it('has all their cases', () => {
    expect(cases).toHaveLength(88);
  });

  it.each(cases.map((one) => [`${one.system}/${one.test}`, one] as const))('%s', async (name, one) => {
    const { parameters, agreement } = mappingOf(one);
    const outcome = await measure(
      {
        type: 'tool_trajectory',
        ...parameters,
        expected: one.expected_calls.map(({ name: tool, args }) => ({ tool, args })),
      },
      { reply: { tool_calls: one.actual.map(({ name: tool, args }) => ({ tool, input: args })) } },
    );
    const difference = DIFFERENCES[name];
    if (difference === undefined) compare(one, outcome, agreement);
    else {
      expect(outcome.score).toBeCloseTo(difference.score, 12);
      expect(() => compare(one, outcome, agreement), 'no longer a difference').toThrow();
    }
  });

  it('every listed difference has a case', () => {
    const names = new Set(cases.map(({ system, test }) => `${system}/${test}`));
    expect(Object.keys(DIFFERENCES).filter((name) => !names.has(name))).toEqual([]);
  });
});

function compare(one: Case, outcome: MeasuredOutcome, agreement: Agreement): void {
  const theirs = one.expected_score;
  if (theirs !== null && typeof theirs === 'object') {
    expect(outcome.score === 1).toBe(theirs.passed);
    if (theirs.f1 !== undefined) expect(f1Of(one, outcome)).toBeCloseTo(theirs.f1, 12);
  } else if (agreement === 'verdict') expect(outcome.score === 1).toBe(theirs === 1);
  else if (agreement === 'score') expect(outcome.score).toBeCloseTo(theirs as number, 12);
  else {
    expect(f1Of(one, outcome)).toBeCloseTo(theirs as number, 12);
    expect(outcome.score).toBeCloseTo(F1_DIFFERENCES[one.test] ?? (theirs as number), 12);
  }
}

function f1Of({ actual, expected_calls: expected }: Case, { details }: MeasuredOutcome): number {
  const matched = ((details as JsonObject)['matched'] as readonly Json[]).length;
  return actual.length + expected.length === 0 ? 1 : (2 * matched) / (actual.length + expected.length);
}
