import { dirname, resolve } from 'node:path';
import { JudgeError } from '../../checks/judges/judge-error.ts';
import type { JudgeSources } from '../../checks/judges/resolve-judge.ts';
import { explainRefusal } from '../../checks/judges/script-refusal.ts';
import { readReferencedFile } from '../../suites/load/file-parts.ts';
import { rootForSuite } from '../../suites/load/project-root.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import { locateEvaluator } from './locate-evaluator.ts';
import { findMissingProgram } from '../../agents/processes/missing-program.ts';
import type { PreflightHost } from '../../run/attempt/preflight.ts';
import type { LoadedEvaluator } from '../../checks/contract/custom-evaluator.ts';
import type { ScriptRequest } from '../../checks/contract/script.ts';
import type { Obstacle } from '../../checks/contract/preflight.ts';

export interface TestPlace {
  readonly file: string;
  /** The judge that the test or its file names. */
  readonly target: string | undefined;
}

/** What is known here about judges and programs. */
export interface PreflightSources {
  readonly env: Environment;
  readonly projectRoot: string;
  /** Where the judges of a test are named, or why this is unknown. */
  judgesFor(place: TestPlace): Promise<KnownJudges | { readonly unknown: string }>;
  mayRunScripts(file: string): Promise<boolean>;
  /** Loads an evaluator that a suite names. Absent: this command does not execute it. */
  loadEvaluator?(reference: string, file: string): Promise<LoadedEvaluator>;
}

export interface KnownJudges {
  readonly sources: JudgeSources;
  /** The `judge_target` of the target under test. */
  readonly judgeTarget: string | undefined;
}

/**
 * The most results that are kept: a dataset has a million tests and few judges, but each line may name its own
 * program.
 */
const MOST_KEPT = 1000;

/** Checks judges and programs without calling or starting any. Each is checked once. */
export function createPreflightHosts(sources: PreflightSources): (place: TestPlace) => PreflightHost {
  const kept = new Map<string, Promise<readonly Obstacle[]>>();
  const once = (key: string, look: () => Promise<readonly Obstacle[]>): Promise<readonly Obstacle[]> => {
    let found = kept.get(key);
    if (found === undefined) {
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(key, (found = look()));
    }
    return found;
  };
  return (place) => ({
    readFile(path) {
      const root = rootForSuite(place.file, sources.projectRoot);
      const read = readReferencedFile(path, { file: place.file, root });
      return 'text' in read ? Promise.resolve(read.text) : Promise.reject(new Error(read.problem));
    },
    findJudge(wanted) {
      const key = JSON.stringify(['judge', dirname(place.file), place.target, wanted]);
      return once(key, () => findJudge(wanted, place, sources));
    },
    findProgram({ script, cwd = '.' }) {
      const folder = resolve(dirname(place.file), cwd);
      return once(JSON.stringify(['program', folder, script]), () =>
        findProgram(script, { ...place, folder }, sources),
      );
    },
    findEvaluator: (reference) => findEvaluator(reference, place.file, sources),
  });
}

async function findJudge(
  wanted: string | undefined,
  place: TestPlace,
  { env, judgesFor }: PreflightSources,
): Promise<readonly Obstacle[]> {
  // Few runs have a judge, so the code for judges is loaded on first use.
  const [{ resolveJudge }, { createJudge }] = await Promise.all([
    import('../../checks/judges/resolve-judge.ts'),
    import('../../checks/judges/create-judge.ts'),
  ]);
  try {
    const known = await judgesFor(place);
    if ('unknown' in known)
      return [{ code: 'judge_unknown', kind: 'judge', message: known.unknown, isLocal: true }];
    createJudge(resolveJudge(known.sources, { wanted, judgeTarget: known.judgeTarget }), { env });
    return [];
  } catch (error) {
    const { message } = error as Error;
    const code = error instanceof JudgeError ? error.code : '';
    if (code === 'no_judge') return [{ code: 'no_judge', kind: 'judge', message, isLocal: true }];
    if (code === 'unset_variable') return [{ code: 'unset_variable', kind: 'judge', message, isLocal: true }];
    return [{ code: 'judge_setup', kind: 'judge', message, isLocal: false }];
  }
}

async function findEvaluator(
  reference: string,
  file: string,
  { projectRoot, mayRunScripts, loadEvaluator }: PreflightSources,
): Promise<LoadedEvaluator | readonly Obstacle[] | undefined> {
  if (!(await mayRunScripts(file)))
    return [
      { code: 'scripts_not_allowed', kind: 'judge', message: explainRefusal(reference), isLocal: true },
    ];
  try {
    const located = locateEvaluator(reference, file, rootForSuite(file, projectRoot));
    if ('problem' in located) throw new Error(located.problem);
    return await loadEvaluator?.(reference, file);
  } catch (error) {
    return [{ code: 'evaluator_file', kind: 'judge', message: (error as Error).message, isLocal: false }];
  }
}

async function findProgram(
  script: ScriptRequest['script'],
  { file, folder }: TestPlace & { readonly folder: string },
  { env, mayRunScripts }: PreflightSources,
): Promise<readonly Obstacle[]> {
  if (!(await mayRunScripts(file)))
    return [{ code: 'scripts_not_allowed', kind: 'judge', message: explainRefusal(script), isLocal: true }];
  const missing = findMissingProgram(script, { cwd: folder, env });
  if (missing === undefined) return [];
  const message = `the script cannot run: ${missing.message}`;
  return [{ code: 'script_missing', kind: 'judge', message, isLocal: missing.isLocal }];
}
