import { join } from 'node:path';
import { summariseThrown } from '../../agents/describe-thrown.ts';
import type { Damage } from '../../runs/journal/damaged-run.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Summary } from '../../base/model/summary.ts';

export function damagedRun(path: string, runId: string): Finding {
  const file = join(path, 'run.json');
  const finding = fileFinding(
    file,
    'damaged_run',
    'this run is skipped: its run.json cannot be read, so its files are unknown',
    `to continue it, use --resume=${runId}`,
  );
  return { ...finding, severity: 'warning' };
}

/** For a resumed run: lost attempts run again. */
export function repairedDamage({ file, line = 1, message }: Damage): Finding {
  const hint = /\brun\.json$/.test(file)
    ? 'it is written again, with the options of this command line only'
    : 'attempts without a whole record run again';
  return { ...fileFinding(file, 'damaged_run', message, hint), line, severity: 'warning' };
}

/** Version 1 of the journal wrote records like these. So does anybody who removes checksums. */
export function unsealedRecords(file: string, count: number): Finding {
  const message = `${count} ${count === 1 ? 'record has' : 'records have'} no checksum and cannot be verified`;
  const finding = fileFinding(file, 'unsealed_records', message, 'their attempts run again');
  return { ...finding, severity: 'warning' };
}

export function nothingToResume(run_id: string): Finding {
  const finding = fileFinding(
    run_id,
    'nothing_to_resume',
    'there is no earlier run of these tests in these files, so this is a new run',
  );
  return { ...finding, severity: 'warning' };
}

export function ownBaseline(run_id: string): Finding {
  return fileFinding(
    run_id,
    'own_baseline',
    'the resumed run is its own baseline',
    'name an earlier run, or a baseline file',
  );
}

interface UnmatchedTargets {
  readonly newTargets: readonly string[];
  readonly missingTargets: readonly string[];
}

/** Targets that only the run or only its baseline has: they are compared with nothing. */
export function unmatchedTargets(
  run_id: string,
  baseline: string,
  { newTargets: added, missingTargets: missing }: UnmatchedTargets,
): readonly Finding[] {
  return [
    ...(added.length === 0 ? [] : [newTargets(run_id, baseline, added)]),
    ...(missing.length === 0 ? [] : [missingTargets(run_id, baseline, missing)]),
  ];
}

function missingTargets(run_id: string, baseline: string, targets: readonly string[]): Finding {
  const [was, its] = targets.length === 1 ? ['was', 'its'] : ['were', 'their'];
  const finding = fileFinding(
    run_id,
    'missing_target',
    `${someOf(targets)} of the baseline ${baseline} ${was} not run, so nothing checks ${its} tests`,
    'add it with --target, or remove its results with `assay baseline update`',
  );
  return { ...finding, severity: 'warning' };
}

function newTargets(run_id: string, baseline: string, targets: readonly string[]): Finding {
  const [verb, them] = targets.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const finding = fileFinding(
    run_id,
    'new_target',
    `${someOf(targets)} ${verb} not in the baseline ${baseline}, so there is nothing to compare ${them} with`,
    '`assay baseline update` adds the results of this run',
  );
  return { ...finding, severity: 'warning' };
}

export function partAsBaseline(run_id: string): Finding {
  return fileFinding(
    run_id,
    'own_baseline',
    'one of the merged runs is also the baseline',
    'name an earlier run, or a baseline file',
  );
}

/** It is called although perhaps nothing changed. */
export function unknownInputs(run_id: string, target: string, reason: string): Finding {
  const message = `Assay does not know which files ${target} uses (${reason}), so each run with --changed calls it`;
  const hint = 'list them in `depends_on` of the target';
  return { ...fileFinding(run_id, 'inputs_unknown', message, hint), severity: 'warning' };
}

/** A check that nobody waited for may have failed: what passed is not known to be right. */
export function uncaughtError(run_id: string, error: unknown): Finding {
  const { what } = summariseThrown(error, import.meta.filename);
  return fileFinding(
    run_id,
    'uncaught_error',
    `an evaluator, a config or a reporter caused an uncaught error: ${what}`,
    '`await` every promise in it, or return it',
  );
}

export function someOf(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

const NAMED = 5;

export function nothingRan(
  paths: readonly string[],
  { skipped, tests }: Summary,
  empty?: { readonly message: string; readonly hint: string },
): Finding {
  // It is about the command line, not about a place in a file.
  if (empty !== undefined) return fileFinding('', 'no_tests', `no tests ran: ${empty.message}`, empty.hint);
  const where = paths.length === 0 ? '.' : paths.join(' ');
  const message = tests > 0 && skipped === tests ? 'all tests are skipped' : 'no tests ran';
  return fileFinding(where, 'no_tests', message, 'check the paths and filters, or add --pass-with-no-tests');
}

/** Model calls that came when their attempts were over: nothing is known of them. */
export function lateModelCalls(run_id: string, count: number): Finding {
  const calls = count === 1 ? 'a model call' : `${count} model calls`;
  const message = `the agent made ${calls} after its reply: what was asked for there was not judged`;
  const hint = 'let the agent wait for its model calls before it replies';
  return { ...fileFinding(run_id, 'late_model_call', message), severity: 'warning', hint };
}

/** Errors that nobody caught, of agents that had replied. */
export function lateErrors(run_id: string, errors: readonly unknown[]): Finding {
  const [first] = errors;
  const what = first instanceof Error ? `${first.name}: ${first.message}` : String(first);
  const count = errors.length === 1 ? 'an uncaught error' : `${errors.length} uncaught errors`;
  const message = `the agent caused ${count} after its reply: ${what.split('\n', 1)[0]}`;
  const hint =
    'outside Assay, such an error would end the process: catch it, or wait for what may fail before the reply';
  return { ...fileFinding(run_id, 'late_error', message), severity: 'warning', hint };
}

/** Rules of a run that hold for any results. */
export function rulesWithoutEffect(
  run_id: string,
  {
    threshold,
    min_pass_rate,
  }: { readonly threshold?: number | undefined; readonly min_pass_rate?: number | undefined },
): readonly Finding[] {
  const error = (code: string, message: string, hint: string): Finding =>
    fileFinding(run_id, code, message, hint);
  return [
    ...(threshold === 0
      ? [
          error(
            'threshold_zero',
            'the threshold of the run is 0, which lets every score pass',
            'give the score to reach',
          ),
        ]
      : []),
    ...(min_pass_rate === 0
      ? [
          error(
            'gate_without_effect',
            'the pass rate that is required is 0, so the run succeeds although every test fails',
            'give the share that must pass, or leave the gate out',
          ),
        ]
      : []),
  ];
}

/** What a version did not see, it did not record: replies of another one may lack calls that this one would see. */
export function otherVersion(run_id: string, recorded: string): Finding {
  const message = `the run was recorded by Assay ${recorded}, which may have seen less of what the agent did than this version`;
  const hint = 'run the tests again to be sure that nothing is missing in the recorded replies';
  return { ...fileFinding(run_id, 'other_version', message), severity: 'warning', hint };
}
