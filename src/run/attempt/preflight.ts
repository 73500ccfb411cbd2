import type { Assertion } from '../../base/model/assertion.ts';
import type { Test } from '../../base/model/test.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import type { Obstacle, PreflightTools } from '../../checks/contract/preflight.ts';

/** What a machine says about the needs of a test's evaluators. */
export type PreflightHost = Omit<PreflightTools, 'test' | 'checkAll'>;

/** An assertion that could not be evaluated, and the reason. */
export interface StoppedAssertion {
  readonly assertion: Assertion;
  readonly obstacles: readonly Obstacle[];
}

/** Finds the assertions of a test that could not be evaluated, before its agent is called. */
export class Preflight {
  private readonly kinds: AssertionKinds;

  constructor(kinds: AssertionKinds) {
    this.kinds = kinds;
  }

  /**
   * Most tests need only their evidence: for those nothing is checked. An assertion of weight 0 never decides, so
   * it stops nothing.
   */
  needsCheck({ steps, assertions }: Test): boolean {
    return this.hasNeeds(assertions) || steps.some((step) => this.hasNeeds(step.assertions));
  }

  async check(test: Test, host: PreflightHost): Promise<readonly StoppedAssertion[]> {
    const stopped: StoppedAssertion[] = [];
    for (const assertion of [...test.steps.flatMap((step) => step.assertions), ...test.assertions]) {
      if (!this.hasNeeds([assertion])) continue;
      const obstacles = await this.checkAll([assertion], test, host);
      if (obstacles.length > 0) stopped.push({ assertion, obstacles });
    }
    return stopped;
  }

  private hasNeeds(assertions: readonly Assertion[]): boolean {
    return assertions.some(
      (assertion) => assertion.weight > 0 && this.kinds.of(assertion)?.preflight !== undefined,
    );
  }

  private async checkAll(
    assertions: readonly Assertion[],
    test: Test,
    host: PreflightHost,
  ): Promise<readonly Obstacle[]> {
    const tools: PreflightTools = {
      test,
      readFile: (path) => host.readFile(path),
      findJudge: (target) => host.findJudge(target),
      findProgram: (request) => host.findProgram(request),
      findEvaluator: (reference) => host.findEvaluator(reference),
      checkAll: (inner) => this.checkAll(inner, test, host),
    };
    const found: Obstacle[] = [];
    for (const assertion of assertions) {
      const { name, parameters } = assertion;
      try {
        found.push(...((await this.kinds.of(assertion)?.preflight?.(parameters, tools)) ?? []));
      } catch (error) {
        const message = `cannot check whether ${name} can be evaluated: ${(error as Error).message}`;
        found.push({ code: 'preflight', kind: 'assertion', message, isLocal: true });
      }
    }
    return found;
  }
}
