import { afterEach, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const projects: { remove(): void }[] = [];
afterEach(() => {
  for (const made of projects.splice(0)) made.remove();
});

function project(files: Readonly<Record<string, string>>): { readonly path: string } {
  const made = createProject(files);
  projects.push(made);
  return made;
}

/** One evaluator per line, from line 6 on, with the warning it must get. */
const LINES: readonly (readonly [string, string])[] = [
  ['{ type: contains, value: "" }', 'always_holds'],
  ['{ type: contains, value: "", negate: true }', 'never_holds'],
  ['{ type: icontains, value: "  " }', 'always_holds'],
  ['{ type: starts_with, value: "" }', 'always_holds'],
  ['{ type: ends_with, value: "" }', 'always_holds'],
  ['{ type: contains_any, value: [a, ""] }', 'always_holds'],
  ['{ type: contains_all, value: [a, ""] }', 'always_holds'],
  ['{ type: regex, value: "" }', 'always_holds'],
  ['{ type: regex, value: ".*" }', 'always_holds'],
  ['{ type: regex, value: "^.*$" }', 'always_holds'],
  ['{ type: regex, value: "a|b|" }', 'always_holds'],
  ['{ type: regex, value: "x*", negate: true }', 'never_holds'],
  ['{ type: is_json, schema: {} }', 'always_holds'],
  ['{ type: tool_trajectory, mode: in_order, expected: [] }', 'always_holds'],
  ['{ type: tool_trajectory, minimums: { a: 0 } }', 'always_holds'],
  ['{ type: tool_trajectory, max_calls: 100000 }', 'limit_too_high'],
  ['{ type: latency, threshold: 0 }', 'limit_too_low'],
  ['{ type: latency, threshold: 99999999999 }', 'limit_too_high'],
  ['{ type: cost, budget: 0 }', 'limit_too_low'],
  ['{ type: token_usage, max_total: 0 }', 'limit_too_low'],
  ['{ type: execution_metrics, max_llm_calls: 0 }', 'limit_too_low'],
  ['{ type: contains, value: a, required: 0 }', 'without_effect'],
  ['{ type: contains, value: a, required: true, weight: 0 }', 'without_effect'],
  ['{ type: composite, evaluators: [{ type: contains, value: a, weight: 3 }] }', 'without_effect'],
  // What looks alike and means something.
  ['{ type: memory, path: a, matches: ".*" }', ''],
  ['{ type: memory, path: a, matches: "", negate: true }', ''],
  ['{ type: equals, value: "" }', ''],
  ['{ type: regex, value: ".+" }', ''],
  ['{ type: regex, value: "^$" }', ''],
  ['{ type: regex, value: "^(?!.*secret)" }', ''],
  [String.raw`{ type: regex, value: '^[^\n]*$' }`, ''],
  ['{ type: is_json }', ''],
  ['{ type: is_json, schema: { type: object } }', ''],
  ['{ type: tool_trajectory, mode: exact, expected: [] }', ''],
  ['{ type: tool_trajectory, max_calls: 0 }', ''],
  ['{ type: execution_metrics, max_tool_calls: 0 }', ''],
  ['{ type: latency, threshold: 1 }', ''],
  ['{ type: contains, value: a, weight: 0 }', ''],
  ['{ type: contains, value: a, required: true }', ''],
];

const FILE = `threshold: 0
evalcases:
  - id: a
    input: Where?
    evaluators:
${LINES.map(([evaluator]) => `      - ${evaluator}\n`).join('')}
  - { id: b, input: Where?, skip: "false", evaluators: [{ type: contains, value: Bern }] }
`;

test('validate warns about assertions that always or never hold', async () => {
  const { path } = project({ 'a.eval.yaml': FILE });
  const { stdout, exitCode } = await runCli(['validate', '--json'], { cwd: path });
  const { findings } = JSON.parse(stdout) as {
    findings: readonly { line: number; code: string; severity: string }[];
  };
  const expected = LINES.flatMap(([, code], index) => (code === '' ? [] : [`${index + 6} ${code}`]));
  expect(findings.map(({ line, code }) => `${line} ${code}`).toSorted()).toEqual(
    [
      '3 threshold_zero',
      `${LINES.length + 7} threshold_zero`,
      `${LINES.length + 7} skip_text`,
      ...expected,
    ].toSorted(),
  );
  expect(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
    'threshold_zero',
    'threshold_zero',
  ]);
  expect(exitCode).toBe(2);
});

test('validate names the formats and misspelled keywords of a schema, each once', async () => {
  const { path } = project({
    'a.eval.yaml': `evaluators:
  - { type: is_json, schema: { type: object, properties: { format: { type: string }, due: { format: date } } } }
evalcases:
  - { id: a, input: One?, evaluators: [{ type: is_json, schema: { type: object, requierd: [a] } }] }
  - { id: b, input: Two? }
  - { id: c, input: Three? }
`,
  });
  const { stdout, exitCode } = await runCli(['validate', '--json'], { cwd: path });
  const { findings } = JSON.parse(stdout) as { findings: readonly { code: string; message: string }[] };
  const said = findings.filter(({ code }) => code === 'schema_keyword').map(({ message }) => message);
  expect(said.toSorted()).toEqual([
    expect.stringContaining('no keyword "requierd"'),
    expect.stringContaining('the format "date" is not checked'),
  ]);
  expect(exitCode).toBe(0);
});

test('run warns too, also about claims', async () => {
  const { path } = project({
    'a.test.yaml': `- input: Where?
  assert:
    output.includes: ''
    output.matches: .*
    output.includes_2: Bern
`,
    'agent.mjs': 'export default () => ({ output: "Bern", tools_used: [], memory: {} });\n',
  });
  const { stdout, stderr, exitCode } = await runCli(['run', '--agent', './agent.mjs'], { cwd: path });
  expect(stdout + stderr).toContain(
    'a.test.yaml:3:22 warning this always holds: every output contains the empty text',
  );
  expect(stdout + stderr).toContain(
    'a.test.yaml:4:21 warning this always holds: this pattern matches every text',
  );
  expect(exitCode).toBe(0);
});
