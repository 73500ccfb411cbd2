import { TargetError } from '../../suites/config/target-error.ts';
import { TargetResolver } from '../../suites/config/target-resolver.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Test } from '../../base/model/test.ts';
import { planTests } from '../../run/plan/plan.ts';
import type { ProjectEvaluators } from '../evaluation/project-evaluators.ts';
import { selectSuites } from '../select/select-suites.ts';

export interface OneTestOptions {
  /** `FILE`, `FILE:LINE` or `FILE::ID`. */
  readonly test: string;
  readonly config?: string | undefined;
  readonly allowScripts?: boolean | undefined;
  readonly onFinding: (finding: Finding) => unknown;
}

interface OneTest {
  readonly file: string;
  readonly test: Test;
  readonly resolver: TargetResolver;
  readonly evaluators: ProjectEvaluators;
  readonly projectRoot: string;
}

/** Finds the one test that is meant, and works with it. Throws a TargetError if it is not one, or has no workspace. */
export async function withOneTest<T>(
  options: OneTestOptions,
  work: (found: OneTest) => Promise<T>,
): Promise<T> {
  const [, path = options.test, id] = /^(.+?)::(.+)$/s.exec(options.test) ?? [];
  const selected = await selectSuites({ paths: [path], config: options.config }, { mayExecute: true });
  const { suites, findings, selection, evaluators, projectRoot } = selected;
  try {
    for (const finding of findings) options.onFinding(finding);
    const found: { readonly file: string; readonly test: Test }[] = [];
    for await (const { suite, tests } of planTests(suites, selection))
      found.push(
        ...tests
          .filter((test) => id === undefined || test.id === id)
          .map((test) => ({ file: suite.file, test })),
      );
    const [one] = found;
    if (one === undefined)
      throw new TargetError(`there is no test ${options.test}`, { hint: 'name it as FILE::ID or FILE:LINE' });
    if (found.length > 1)
      throw new TargetError(`${options.test} names ${found.length} tests`, {
        hint: `name one, such as ${one.file}::${one.test.id}`,
      });
    if (one.test.workspace === undefined)
      throw new TargetError(`the test ${one.test.id} has no workspace`, { hint: 'give it `workspace`' });
    const choice = { config: options.config, mayExecute: true, configs: evaluators.configs };
    const resolver = new TargetResolver(choice, process.cwd(), process.env);
    await resolver.configFor(one.file);
    return await work({ ...one, resolver, evaluators, projectRoot });
  } finally {
    await evaluators.close();
  }
}
