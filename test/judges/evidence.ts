import { DEFAULT_THRESHOLD } from '../../src/base/model/threshold.ts';
import type { Evidence } from '../../src/base/model/evidence.ts';
import type { Message } from '../../src/base/model/message.ts';
import type { Test } from '../../src/base/model/test.ts';

interface EvidenceParts {
  readonly question?: string;
  readonly output?: string;
  readonly expected_outcome?: string | undefined;
  readonly expected_messages?: readonly Message[];
  readonly output_messages?: readonly Message[];
  readonly threshold?: number;
}

/** The evidence of a test of one step. */
export function evidenceOf(parts: EvidenceParts = {}): Evidence {
  const {
    question = 'What is the capital of France?',
    output = 'It is Paris.',
    expected_messages = [],
  } = parts;
  const place = { file: 'a.eval.yaml', line: 1, column: 1 };
  const test: Test = {
    id: 't',
    expected_outcome: 'expected_outcome' in parts ? parts.expected_outcome : 'It names Paris.',
    steps: [],
    assertions: [],
    tags: [],
    threshold: parts.threshold,
    place,
  };
  return {
    test,
    threshold: parts.threshold ?? DEFAULT_THRESHOLD,
    file: place.file,
    input_messages: [{ role: 'user', content: question }],
    expected_messages,
    reply: { output, output_messages: parts.output_messages },
    memoryBefore: {},
    memoryAfter: {},
    durationMs: 1,
  };
}
