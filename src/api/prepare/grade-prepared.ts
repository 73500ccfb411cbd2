import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Replies } from '../../agents/contract.ts';
import { membersOf, type Assertion } from '../../base/model/assertion.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { Test } from '../../base/model/test.ts';
import { executeAttempt, releaseLimits } from '../../run/attempt/execute-attempt.ts';
import { Grader } from '../../run/grade/grade.ts';
import { SYSTEM_CLOCK } from '../../run/pool/clock.ts';
import { TargetError } from '../../suites/config/target-error.ts';
import { createEvaluationHost } from '../evaluation/evaluation-host.ts';
import { createRunPreflight } from '../evaluation/run-preflight.ts';
import { createWorkspaces } from '../evaluation/workspaces.ts';
import { withOneTest, type OneTestOptions } from './one-test.ts';

export interface GradePreparedOptions extends OneTestOptions {
  /** The workspace, as somebody left it. It is copied, and stays as it is. */
  readonly prepared: string;
  /** A file with what the agent answered. */
  readonly answer?: string | undefined;
  readonly signal: AbortSignal;
}

const LIMIT_MS = 600_000;
/** What the files of a workspace alone can answer. */
const OF_FILES: ReadonlySet<string> = new Set(['files', 'diff', 'command']);

/** Grades a prepared workspace that somebody else worked in. */
export function gradePrepared(options: GradePreparedOptions): Promise<AttemptRecord> {
  return withOneTest(options, async ({ file, test, resolver, evaluators, projectRoot }) => {
    if (statSync(options.prepared, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new TargetError(`${options.prepared} is not a folder`, { hint: 'make one with `assay prepare`' });
    const answer = options.answer === undefined ? undefined : readFileSync(options.answer, 'utf8');
    if (answer === undefined) refuseAnswerChecks(test);
    if (test.steps.length > 1)
      throw new TargetError(
        `the test ${test.id} has ${test.steps.length} steps, and a folder shows only what the last one left`,
      );
    const allowScripts = options.allowScripts === true;
    const workspaces = createWorkspaces({ resolver, allowScripts, prepared: resolve(options.prepared) });
    const redactor = await resolver.redactor();
    const replies: Replies = () => ({
      send: () => ({ reply: { output: answer ?? '' }, printed: '' }),
      close() {},
    });
    try {
      const { environment: _, ...plan } = test.workspace!;
      const { record } = await executeAttempt(
        {
          id: `${file}::${test.id}::prepared::1`,
          file,
          test: { ...test, workspace: { git: 'fresh', ...plan } },
          target: 'prepared',
          replies,
          repeat: 1,
          fingerprint: '',
        },
        {
          grader: new Grader(evaluators.kinds, redactor.value),
          threshold: (await resolver.configFor(file)).threshold,
          clock: SYSTEM_CLOCK,
          evaluationHost: createEvaluationHost({
            resolver,
            projectRoot,
            evaluators,
            allowScripts,
            useCache: true,
          }),
          preflight: createRunPreflight({ resolver, projectRoot, evaluators, allowScripts }),
          workspaces,
        },
        { timeoutMs: LIMIT_MS, retries: 0, signal: options.signal },
      );
      return redactor.value(record);
    } finally {
      releaseLimits(options.signal);
      await workspaces.close();
    }
  });
}

/** Without an answer, an evaluator of it would look at nothing. */
function refuseAnswerChecks({ steps, assertions }: Test): void {
  const readsAnswer = (each: Assertion): boolean => {
    const members = membersOf(each);
    return members.length > 0 ? members.some(readsAnswer) : !OF_FILES.has(each.kind);
  };
  const found = [...steps.flatMap((step) => step.assertions), ...assertions].find(readsAnswer);
  if (found !== undefined)
    throw new TargetError(`the evaluator ${found.name} reads the answer of the agent`, {
      hint: 'give it with --answer FILE',
    });
}
