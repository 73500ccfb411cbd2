import type { Assertion } from '../../base/model/assertion.ts';
import type { Finding, Severity } from '../../base/model/finding.ts';
import type { Place } from '../../base/model/place.ts';
import type { Test } from '../../base/model/test.ts';
import type { Weakness } from '../../checks/contract/assertion-kind.ts';
import type { Duplicate } from './weaknesses/duplicate-checks.ts';
import type { OutOfReach } from './weaknesses/out-of-reach.ts';
import type { Outvoted } from './weaknesses/outvoted-checks.ts';
import type { SharedQuestion } from './weaknesses/same-questions.ts';
import type { TrivialPattern } from './weaknesses/trivial-patterns.ts';
import type { WeakAnswer } from '../../checks/contract/weak-answer.ts';
import type { OddName } from './weaknesses/odd-names.ts';
import type { LazyAgent } from './lazy-agents.ts';

interface FindingParts {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly path: string;
}

export function cannotPass(test: Test, { place, name }: Assertion, why: string): Finding {
  return at(place, {
    severity: 'error',
    code: 'cannot_pass',
    message: `"${test.id}" cannot pass: ${why}`,
    hint: 'no reply satisfies this test: change or remove one of its assertions',
    path: name,
  });
}

/** Every assertion holds, but the test still fails. */
export function neverScores(test: Test): Finding {
  return at(test.place, {
    severity: 'error',
    code: 'cannot_pass',
    message: `"${test.id}" cannot pass: a reply that satisfies every assertion still scores too little`,
    hint: 'check the weights: if all of them are 0, the score is 0',
    path: '',
  });
}

/** The test can pass without it. */
export function neverHolds(test: Test, { place, name }: Assertion, why: string): Finding {
  return at(place, {
    severity: 'error',
    code: 'never_holds',
    message: `in "${test.id}", ${why}`,
    hint: 'the test passes without it: correct it or remove it',
    path: name,
  });
}

export function expectedAnswerFails(test: Test, { place, name }: Assertion, message: string): Finding {
  return at(place, {
    severity: 'error',
    code: 'expected_answer_fails',
    message: `the expected answer of "${test.id}" does not satisfy \`${name}\`: ${message}`,
    hint: 'change the expected answer or the assertion',
    path: name,
  });
}

export function cannotFail(test: Test, mutations: number): Finding {
  return at(test.place, {
    severity: 'error',
    code: 'cannot_fail',
    message: `"${test.id}" can never fail: an agent that does nothing passes, and so do ${mutations} changed replies`,
    hint: 'assert something that a wrong answer does not have; check `threshold` and the weights',
    path: '',
  });
}

export function passedBy(test: Test, { code, what, hint }: LazyAgent): Finding {
  return at(test.place, {
    severity: 'error',
    code,
    message: `an agent that ${what} would pass "${test.id}"`,
    hint,
    path: '',
  });
}

export function weakAnswerPasses(
  test: Test,
  { place, name }: Assertion,
  { code, output, why, hint }: WeakAnswer,
): Finding {
  return at(place, {
    severity: 'error',
    code,
    message: `the answer ${output} passes "${test.id}": the schema of \`${name}\` ${why}`,
    hint,
    path: name,
  });
}

export function neverBroken(test: Test, { place, name }: Assertion, mutations: number): Finding {
  return at(place, {
    severity: 'warning',
    code: 'never_broken',
    message: `\`${name}\` of "${test.id}" passes for every reply: none of ${mutations} changes breaks it`,
    hint: 'make the assertion more specific, or remove it',
    path: name,
  });
}

export function matcherNeverBroken(test: Test, { place, name }: Assertion, what: string): Finding {
  return at(place, {
    severity: 'warning',
    code: 'never_broken',
    message: `the matcher ${what} in \`${name}\` of "${test.id}" decides nothing: a reply that breaks it still passes`,
    hint: 'make the assertion more specific, or remove the matcher',
    path: name,
  });
}

export function addsNothing(test: Test, { own, other }: TrivialPattern): Finding {
  const { name, place } = own.assertion;
  return at(place, {
    severity: 'warning',
    code: 'adds_nothing',
    message: `\`${name}\` of "${test.id}" adds nothing: every output that satisfies \`${other.assertion.name}\` satisfies it`,
    hint: 'make the assertion more specific, or remove it',
    path: name,
  });
}

export function sameCheck(test: Test, { assertion, first }: Duplicate): Finding {
  return at(assertion.place, {
    severity: 'warning',
    code: 'duplicate_check',
    message: `\`${assertion.name}\` of "${test.id}" checks the same as \`${first.name}\` (line ${first.place.line})`,
    hint: 'remove one of them; use `weight` if it should count more',
    path: assertion.name,
  });
}

export function sameTest(test: Test, line: number): Finding {
  return at(test.place, {
    severity: 'warning',
    code: 'duplicate_test',
    message: `"${test.id}" repeats the test at line ${line}: the same input and the same checks`,
    hint: 'remove one of them; to run a test several times use `repeats`',
    path: '',
  });
}

/** Two tests ask the same question. */
export function sharedQuestion(test: Test, { assertion, line, is }: SharedQuestion): Finding {
  const { place, name } = assertion;
  return is === 'same'
    ? at(place, {
        severity: 'warning',
        code: 'duplicate_check',
        message: `\`${name}\` of "${test.id}" repeats a check of the test at line ${line}, which asks the same`,
        hint: 'remove one of them, or make one test of both',
        path: name,
      })
    : at(place, {
        severity: 'error',
        code: 'two_answers',
        message: `"${test.id}" asks the same as the test at line ${line}, and no answer satisfies \`${name}\` and that test`,
        hint: 'correct one of the answers, or ask something else',
        path: name,
      });
}

/** An attempt cannot do what the test needs. */
export function tooFar(test: Test, { fault, why }: OutOfReach): Finding {
  return at(fault?.place ?? test.place, {
    severity: 'error',
    code: fault === undefined ? 'cannot_pass' : 'fault_impossible',
    message: fault === undefined ? `"${test.id}" cannot pass: ${why}` : `in "${test.id}", ${why}`,
    hint:
      fault === undefined
        ? 'raise the limit, or expect fewer calls'
        : 'remove the fault, or what prevents it',
    path: fault === undefined ? 'limits' : 'faults',
  });
}

export function outvoted(test: Test, { assertion, count, score }: Outvoted): Finding {
  const percent = Math.round(score * 1000) / 1000;
  return at(assertion.place, {
    severity: 'warning',
    code: 'outvoted',
    message: `"${test.id}" can pass although one of its evaluators scores 0: with ${count} of them, \`${assertion.name}\` at 0 leaves ${percent}, enough for the default threshold`,
    hint: 'set `required: true` on what must pass, or a `threshold`',
    path: assertion.name,
  });
}

export function memoryUnchanged(test: Test, { place, name }: Assertion): Finding {
  return at(place, {
    severity: 'warning',
    code: 'memory_unchanged',
    message: `\`${name}\` of "${test.id}" passes before the first step: an agent that never changes memory satisfies it`,
    hint: 'start with another value in `memory`, or assert another one',
    path: name,
  });
}

export function oddName({ kind, name, usual, place, test }: OddName): Finding {
  return at(place, {
    severity: 'warning',
    code: 'odd_name',
    message: `the ${kind} "${name}" occurs only in "${test}"; elsewhere in the file it is "${usual}"`,
    hint: `did you mean \`${usual}\`?`,
    path: name,
  });
}

export function weakAssertion(
  test: Test,
  { place, name }: Assertion,
  { code, message, hint }: Weakness,
): Finding {
  return at(place, {
    severity: 'warning',
    code,
    message: `\`${name}\` of "${test.id}": ${message}`,
    hint,
    path: name,
  });
}

/** Places of datasets are computed when they are read; a finding is plain data. */
function at({ file, line, column }: Place, said: FindingParts): Finding {
  return { ...said, file, line, column };
}
