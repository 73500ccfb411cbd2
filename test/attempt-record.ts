import type { AssertionRecord, AttemptRecord, StepRecord } from '../src/base/model/record.ts';

/** A record of a passed attempt, with what a test says about it. */
export function attemptRecord(fields: Partial<AttemptRecord> = {}): AttemptRecord {
  const { file = 'a.test.yaml', test = 't', target = 'agent', repeat = 1 } = fields;
  return {
    id: `${file}::${test}::${target}::${repeat}`,
    file,
    line: 3,
    column: 5,
    test,
    tags: [],
    target,
    repeat,
    fingerprint: 'f1',
    verdict: 'passed',
    steps: [],
    assertions: [],
    retries: 0,
    started_at: '2026-01-02T03:04:05.000Z',
    duration_ms: 7,
    ...fields,
  };
}

export function stepRecord(fields: Partial<StepRecord> = {}): StepRecord {
  return {
    line: 4,
    input: 'hi',
    input_messages: [],
    memory_before: {},
    assertions: [],
    duration_ms: 2,
    ...fields,
  };
}

export function assertionRecord(fields: Partial<AssertionRecord> = {}): AssertionRecord {
  return {
    form: 'claim',
    kind: 'contains',
    name: 'contains',
    weight: 1,
    message: 'it is there',
    file: 'a.test.yaml',
    line: 5,
    column: 7,
    ...fields,
  };
}
