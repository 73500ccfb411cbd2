import { BASELINE_VERSION, type Baseline, type BaselineTest } from '../../base/model/baseline.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { testKey } from '../../base/model/test-key.ts';

/** The text of a baseline file, one line per test, so that a diff shows what changed. */
export function printBaseline({ tests, ...head }: Baseline): string {
  const lines = Object.entries(head)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`);
  const list = tests.map((test) => `    ${JSON.stringify(test)}`).join(',\n');
  return `{\n${lines.join('')}  "tests": [${list === '' ? '' : `\n${list}\n  `}]\n}\n`;
}

/** A baseline, or what is wrong with its text. */
export function parseBaseline(text: string): Baseline | { readonly problem: string } {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return { problem: `it is not JSON: ${(error as Error).message}` };
  }
  if (!isJsonObject(value) || value['assay_baseline'] === undefined)
    return { problem: 'it is not a baseline: `assay_baseline` is missing' };
  if (value['assay_baseline'] !== BASELINE_VERSION)
    return {
      problem: `it is a baseline of version ${JSON.stringify(value['assay_baseline'])}; this program reads version ${BASELINE_VERSION}`,
    };
  const { run_id, tests } = value;
  if (typeof run_id !== 'string') return { problem: '`run_id` must be a string' };
  if (!Array.isArray(tests)) return { problem: '`tests` must be a list' };
  for (const [index, test] of tests.entries()) {
    const problem = problemOf(test as Json);
    if (problem !== undefined) return { problem: `\`tests[${index}]\` ${problem}` };
  }
  const twice = findTwice(tests as unknown as readonly BaselineTest[]);
  if (twice !== undefined) return { problem: `the test ${twice} is listed twice` };
  return value as unknown as Baseline;
}

function problemOf(test: Json): string | undefined {
  if (!isJsonObject(test)) return 'must be an object';
  for (const key of ['file', 'test', 'target'])
    if (typeof test[key] !== 'string') return `needs a string \`${key}\``;
  if (!VERDICTS.has(test['verdict'] as string)) return `needs a \`verdict\`: ${[...VERDICTS].join(', ')}`;
  const { passed, measured } = test;
  if (!isCount(passed) || !isCount(measured) || passed > measured)
    return 'needs integers `passed` and `measured`, the first not above the second';
  return numberProblem(test);
}

const VERDICTS = new Set(['passed', 'failed', 'error', 'skipped', 'not_graded']);

function numberProblem(test: JsonObject): string | undefined {
  for (const key of ['score', 'latency_median_ms', 'cost_usd']) {
    const value = test[key];
    if (value !== undefined && (typeof value !== 'number' || value < 0 || (key === 'score' && value > 1)))
      return `has an invalid \`${key}\`: ${JSON.stringify(value)}`;
  }
  return undefined;
}

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function findTwice(tests: readonly BaselineTest[]): string | undefined {
  const seen = new Set<string>();
  for (const test of tests) {
    const id = testKey(test);
    if (seen.has(id)) return JSON.stringify(id);
    seen.add(id);
  }
  return undefined;
}
