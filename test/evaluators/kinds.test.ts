import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AssertionKind } from '../../src/checks/contract/assertion-kind.ts';
import type { ClaimKind } from '../../src/checks/contract/claim-kind.ts';
import type { EvaluatorKind } from '../../src/checks/contract/evaluator-kind.ts';
import { createAssertionKinds } from '../../src/checks/registry.ts';
import { createRequirementsOf } from '../../src/api/check-suite/requirements-of.ts';
import { membersOf, type Assertion } from '../../src/base/model/assertion.ts';
import type { AssertionOutcome } from '../../src/base/model/evidence.ts';
import { NOWHERE, Reader } from '../../src/base/schema/reader.ts';
import { answer, evaluate, evidence } from './evidence.ts';

const ASSERTIONS = join(import.meta.dirname, '../../src/checks');
const kinds = createAssertionKinds();
const wantedBy = createRequirementsOf(kinds);

test('every kind that a file defines is in the registry', async () => {
  const defined: AssertionKind[] = [];
  for (const folder of ['claims', 'evaluators'])
    for (const file of readdirSync(join(ASSERTIONS, folder)).filter((name) => !name.endsWith('.test.ts'))) {
      const exported = (await import(join(ASSERTIONS, folder, file))) as Readonly<Record<string, unknown>>;
      defined.push(...Object.values(exported).filter(isKind));
    }
  expect(defined.length).toBeGreaterThan(20);
  const listed = new Set<AssertionKind>([...kinds.claims, kinds.expected, ...kinds.evaluators]);
  expect(defined.filter((kind) => !listed.has(kind)).map(({ kind }) => kind)).toEqual([]);
});

function isKind(value: unknown): value is AssertionKind {
  return typeof value === 'object' && value !== null && 'kind' in value && 'evaluate' in value;
}

test('no two kinds share a name or an alias', () => {
  const claims = [...kinds.claims, kinds.expected].map(({ key }) => key);
  const evaluators = [
    ...kinds.evaluators.flatMap(({ kind, otherNames }) => [kind, ...otherNames]),
    ...kinds.spellings.flatMap(({ names }) => names),
  ];
  expect(new Set(claims).size).toBe(claims.length);
  expect(new Set(evaluators).size).toBe(evaluators.length);
});

describe.each([...kinds.claims, kinds.expected].map((kind) => [kind.key, kind] as const))(
  'the claim %s',
  (_name, kind) => keepsTheContract(() => readClaim(kind), kind),
);

describe.each(kinds.evaluators.map((kind) => [kind.kind, kind] as const))(
  'the evaluator %s',
  (_name, kind) => {
    keepsTheContract(() => readEvaluator(kind), kind);
    test('defines no field that every evaluator already has', () => {
      const { type, name, weight, required, negate } = kind.schema.fields;
      expect([type, name, weight, required, negate].map((field) => field?.doc)).toEqual(
        ['type', 'name', 'weight', 'required', 'negate'].map(
          (field) => kinds.rubric.schema.fields[field]!.doc,
        ),
      );
    });
  },
);

function keepsTheContract(read: () => Assertion, kind: AssertionKind): void {
  test('reads its example without a finding', () => {
    expect(kind.doc).toMatch(/^[A-Z].*\.$/);
    expect(kinds.of(read())).toBe(kind);
  });

  test('requires nothing of parts of the reply that it does not read', () => {
    const assertion = read();
    const parts = ['output', 'tools', 'memory', 'duration', 'usage'] as const;
    const known = parts.filter((part) => kinds.reads(assertion, part));
    const wanted = wantedBy(assertion, answer({ total: 3 }));
    expect(known).toEqual(expect.arrayContaining([...(wanted?.about ?? [])]));
    // If a judge or a program decides, the result is unknown.
    expect(known.length > 0).toBe(wanted !== undefined);
  });

  test('gives a score or an error for an empty reply, and no score for unreported values', async () => {
    const assertion = read();
    const outcome = await evaluateEmpty(assertion, kind);
    if ('error' in outcome) expect(outcome.error.message).not.toBe('');
    else expect(outcome.score >= 0 && outcome.score <= 1, `a score of ${outcome.score}`).toBe(true);
    const isReported = !kinds.reads(assertion, 'tools') && !kinds.reads(assertion, 'usage');
    expect('error' in outcome || isReported).toBe(true);
  });

  test('lists its nested evaluators', () => {
    const assertion = read();
    expect(membersOf(assertion).length > 0).toBe(kind.nests !== undefined);
    for (const member of membersOf(assertion)) {
      expect(kinds.of(member)).toBeDefined();
      expect(kind.nests!.weightOf(member, assertion.parameters)).toBeGreaterThanOrEqual(0);
    }
  });
}

function readClaim(kind: ClaimKind): Assertion {
  const reader = new Reader(NOWHERE);
  const key = kind.key.replace(/<.*>/, 'user.name');
  reader.enter(key);
  const read = kind.schema.read(kind.example, reader);
  expect(reader.findings).toEqual([]);
  return {
    form: 'claim',
    kind: kind.kind,
    name: key,
    weight: 1,
    required: false,
    negate: false,
    parameters: kind.parameters(key, read!),
    place: { file: 'a.test.yaml', line: 1, column: 1 },
  };
}

function readEvaluator({ kind, example }: EvaluatorKind): Assertion {
  const reader = new Reader(NOWHERE);
  const [assertion] = kinds.evaluatorList.read([{ type: kind, ...example }], reader)!;
  expect(reader.findings).toEqual([]);
  return assertion!;
}

async function evaluateEmpty(assertion: Assertion, kind: AssertionKind): Promise<AssertionOutcome> {
  const runScript = (): Promise<never> => Promise.reject(new Error('no program is run here'));
  if (assertion.form === 'claim') return kind.evaluate(assertion.parameters, evidence(), {} as never);
  const { example } = kind as EvaluatorKind;
  return evaluate({ type: assertion.kind, ...example }, {}, { runScript });
}
