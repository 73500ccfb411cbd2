import type { AttemptRecord } from '../../base/model/record.ts';
import type { CountedTests, PassCounts } from '../../base/stats/pass-counts.ts';

/**
 * The attempts of each test over all targets. Targets answer the same tests, so their results are not independent: the test
 * is the unit, not the test with a target. A test whose attempts are all there is only counted, so that a run of a million tests
 * does not fill the memory.
 */
export class TestsAcrossTargets {
  private readonly open = new Map<string, OpenTest>();
  private readonly closed = new Map<string, { readonly parts: readonly PassCounts[]; tests: number }>();

  /** `planned`: how many attempts its test has. */
  add({ file, test, target, verdict }: AttemptRecord, planned: number): void {
    const key = `${file}\0${test}`;
    let known = this.open.get(key);
    if (known === undefined) this.open.set(key, (known = { attempts: 0, parts: new Map() }));
    const part = known.parts.get(target) ?? { passed: 0, measured: 0 };
    known.parts.set(target, part);
    known.attempts++;
    if (verdict === 'passed') part.passed++;
    if (verdict === 'passed' || verdict === 'failed') part.measured++;
    if (known.attempts < planned) return;
    this.open.delete(key);
    close(known, this.closed);
  }

  groups(): readonly CountedTests[] {
    const all = new Map([...this.closed].map(([key, group]) => [key, { ...group }]));
    for (const test of this.open.values()) close(test, all);
    return [...all.values()].map(({ parts, tests }) => ({
      passed: parts.reduce((sum, { passed }) => sum + passed, 0),
      measured: parts.reduce((sum, { measured }) => sum + measured, 0),
      tests,
      parts,
    }));
  }
}

interface OpenTest {
  attempts: number;
  readonly parts: Map<string, { passed: number; measured: number }>;
}

/** Counts it with the tests that have the same numbers. */
function close(
  { parts }: OpenTest,
  groups: Map<string, { readonly parts: readonly PassCounts[]; tests: number }>,
): void {
  const key = [...parts.values()].map(({ passed, measured }) => `${passed}/${measured}`).join(' ');
  const group = groups.get(key);
  if (group === undefined) groups.set(key, { parts: [...parts.values()], tests: 1 });
  else group.tests++;
}
