import { isDeepStrictEqual } from 'node:util';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { Disturbance, SoakResult } from './disturbed-run.ts';
import type { AgentKind } from './agents.ts';
import type { RandomTest } from './random-suites.ts';
import { callsIn, damagedLines, recordsIn } from './run-folder.ts';

/** The promise: results that were shown longer ago than this are kept. */
const SAFE_AFTER_MS = 1000;

/** How things stood before a run was started or resumed. */
export interface RoundState {
  readonly kind: AgentKind;
  readonly tests: readonly RandomTest[];
  readonly repeats: number;
  readonly before: readonly AttemptRecord[];
  /** Counts the runs of the round. */
  readonly run: number;
}

interface StepOutcome {
  readonly result: SoakResult;
  readonly disturbance: Disturbance | undefined;
  /** The exit code of the undisturbed run. */
  readonly reference: number | null;
}

/** What must hold after every run, disturbed or not. */
export function checkStep(project: string, state: RoundState, outcome: StepOutcome): readonly string[] {
  const { result, disturbance, reference } = outcome;
  const recorded = new Set(recordsIn(project).map(({ id }) => id));
  const allowed = result.wasDisturbed
    ? [reference, ...(disturbance?.signal === 'SIGKILL' ? [null] : [130, null])]
    : [reference];
  return [
    ...state.before.filter(({ id }) => !recorded.has(id)).map(({ id }) => `the record of ${id} was lost`),
    ...result.shown
      .filter(({ id, agoMs }) => agoMs > SAFE_AFTER_MS && !recorded.has(id))
      .map(
        ({ id, agoMs }) => `${id} was shown as finished ${Math.round(agoMs)} ms before the end, and is lost`,
      ),
    ...extraCalls(project, state),
    ...damagedLines(project).map((line) => `a line of the journal cannot be read: ${line.slice(0, 80)}`),
    ...(allowed.includes(result.exitCode)
      ? []
      : [
          `exit code ${result.exitCode} instead of ${allowed.join(' or ')} (${disturbance?.signal ?? 'undisturbed'}): ${result.stderr.slice(0, 500)}`,
        ]),
  ];
}

/** What must hold if the run reached its end. */
export function checkEnd(
  result: SoakResult,
  reference: SoakResult,
  records: readonly AttemptRecord[],
): readonly string[] {
  const [actual, expected] = [verdictsOf(result), verdictsOf(reference)];
  const counts = new Map<string, number>();
  for (const { id } of records) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [
    ...[...counts].filter(([, count]) => count !== 1).map(([id, count]) => `${id} has ${count} records`),
    ...(counts.size === expected.size
      ? []
      : [`${counts.size} attempts have a record instead of ${expected.size}`]),
    ...[...expected]
      .filter(([id, verdict]) => !isDeepStrictEqual(actual.get(id), verdict))
      .map(([id, verdict]) => `${id} is ${actual.get(id)?.join()} instead of ${verdict.join()}`),
    ...(actual.size === expected.size
      ? []
      : [`${actual.size} results are shown instead of ${expected.size}`]),
  ];
}

/** The verdict of every attempt as it was reported; a list, in case one is reported twice. */
function verdictsOf({ stdout }: SoakResult): ReadonlyMap<string, readonly string[]> {
  const { results } = JSON.parse(stdout) as { results: readonly AttemptRecord[] };
  const verdicts = new Map<string, string[]>();
  for (const { id, target, verdict, error } of results) {
    // Two servers have two addresses.
    const key = id.replace(target, 'target');
    verdicts.set(key, [
      ...(verdicts.get(key) ?? []),
      `${verdict}${error === undefined ? '' : ` (${error.kind})`}`,
    ]);
  }
  return verdicts;
}

/** Attempts with a record do not run again, and no attempt runs twice at the same time. */
function extraCalls(project: string, { kind, tests, repeats, before, run }: RoundState): readonly string[] {
  const made = new Map<string, number>();
  for (const input of callsIn(project, run)) {
    const [id, , step] = input.split(' ');
    if (step === '0') made.set(id!, (made.get(id!) ?? 0) + 1);
  }
  return tests.flatMap(({ id, fault }) => {
    const done = new Set(before.filter(({ test }) => test === id).map((record) => record.id)).size;
    // Retried once: what failed on the way to the agent.
    const tries = fault === 'exit' || fault === 'busy' ? 2 : 1;
    // Several run in one process. If one of them ends it, the others run again, alone.
    const most = (repeats - done) * tries * (kind === 'function' ? 2 : 1);
    const calls = made.get(id) ?? 0;
    return calls <= most ? [] : [`${id} (${fault}) was asked ${calls} times instead of at most ${most}`];
  });
}
