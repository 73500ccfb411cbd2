import type { Assertion } from '../../model/assertion.ts';
import type { Finding, Severity } from '../../model/finding.ts';
import type { Place } from '../../model/place.ts';
import type { Test } from '../../model/test.ts';

interface Said {
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
    path: name,
  });
}

export function expectedAnswerFails(test: Test, { place, name }: Assertion, message: string): Finding {
  return at(place, {
    severity: 'error',
    code: 'expected_answer_fails',
    message: `the expected answer of "${test.id}" does not satisfy \`${name}\`: ${message}`,
    hint: 'change the expected answer, or what is asserted',
    path: name,
  });
}

export function cannotFail(test: Test, mutations: number): Finding {
  return at(test.place, {
    severity: 'error',
    code: 'cannot_fail',
    message: `nothing makes "${test.id}" fail: an agent that does nothing passes, and so do ${mutations} changed replies`,
    hint: 'assert something that a wrong answer does not have; look at `threshold` and weights',
    path: '',
  });
}

export function idlePasses(test: Test): Finding {
  return at(test.place, {
    severity: 'error',
    code: 'idle_passes',
    message: `"${test.id}" is passed by an agent that does nothing: no output, no tools, no memory`,
    hint: 'assert something that only an answer has',
    path: '',
  });
}

export function neverBroken(test: Test, { place, name }: Assertion, mutations: number): Finding {
  return at(place, {
    severity: 'warning',
    code: 'never_broken',
    message: `\`${name}\` of "${test.id}" holds whatever the reply is: none of ${mutations} changes breaks it`,
    hint: 'say more exactly what is expected, or remove it',
    path: name,
  });
}

/** Places of datasets are computed when they are read; a finding is plain data. */
function at({ file, line, column }: Place, said: Said): Finding {
  return { ...said, file, line, column };
}
