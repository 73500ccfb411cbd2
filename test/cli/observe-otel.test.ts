import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { spans, weatherSpans } from '../evidence/telemetry.ts';

let project: ReturnType<typeof createProject>;

/** Reports nothing, and sends its telemetry as its input says. */
const AGENT = `
import { readFileSync } from 'node:fs';
let text = '';
for await (const chunk of process.stdin) text += chunk;
const { input } = JSON.parse(text);
const url = process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
if (url !== undefined && !input.startsWith('silent')) {
  const body = JSON.parse(readFileSync('telemetry.json', 'utf8'));
  const [scope] = body.resourceSpans[0].scopeSpans;
  if (input === 'torn') scope.spans = scope.spans.slice(0, 2);
  await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}
console.log(JSON.stringify({ output: 'Rome is 12 °C.', ...(input.includes('reports none') && { tools_used: [] }) }));
`;

const written = (id: string, input: string, rule: string): string => `
  - id: ${id}
    input: ${input}
    assertions:
      - ${rule}
`;
const FORBIDDEN = '{ type: tool_trajectory, mode: any_order, forbidden: [get_weather] }';
const FORBIDS_OTHER = '{ type: tool_trajectory, mode: any_order, forbidden: [delete_all] }';
const CALLS =
  '{ type: tool_trajectory, mode: in_order, expected: [{ tool: get_weather, args: { city: Rome } }] }';

beforeEach(() => {
  project = createProject({
    'agent.mjs': AGENT,
    'telemetry.json': JSON.stringify(spans(...weatherSpans()).body),
    'assay.config.yaml': 'agent: "cmd: node agent.mjs"\n',
    'suite.eval.yaml': `tests:${[
      written('calls it', 'whole', CALLS),
      written('calls nothing else', 'whole', FORBIDS_OTHER),
      written('calls what is forbidden', 'whole', FORBIDDEN),
      written('nothing came', 'silent', FORBIDS_OTHER),
      written('a part came', 'torn', FORBIDS_OTHER),
      written('a part of the tokens came', 'torn', '{ type: token_usage, max_total: 1000 }'),
      written('nothing came and none is reported', 'silent reports none', FORBIDS_OTHER),
      written('it hides a call', 'whole reports none', FORBIDDEN),
    ].join('')}`,
  });
});

afterEach(() => project.remove());

interface Result {
  readonly test: string;
  readonly verdict: string;
  readonly error?: { readonly message: string };
}

test('--observe=otel: claims rest on telemetry, and without it they are unmeasured', async () => {
  const args = ['run', 'suite.eval.yaml', '--observe=otel', '--reporter', 'json', '--no-record'];
  const { stdout, stderr } = await runCli(args, { cwd: project.path });
  expect(stderr).toBe('');
  const { results } = JSON.parse(stdout) as { readonly results: readonly Result[] };
  expect(results.map((result) => [result.test, result.verdict])).toEqual([
    ['calls it', 'passed'],
    ['calls nothing else', 'passed'],
    ['calls what is forbidden', 'failed'],
    ['nothing came', 'error'],
    ['a part came', 'error'],
    ['a part of the tokens came', 'error'],
    ['nothing came and none is reported', 'error'],
    ['it hides a call', 'error'],
  ]);
  expect(JSON.stringify(results[3])).toContain('OTEL_EXPORTER_OTLP_ENDPOINT');
});

test('--observe takes no other value, and never the next word', async () => {
  const { stdout, stderr, exitCode } = await runCli(['run', '--observe=spans', 'suite.eval.yaml'], {
    cwd: project.path,
  });
  expect([exitCode, stdout + stderr]).toEqual([2, expect.stringContaining('--observe=otel')]);
  const listed = await runCli(['run', '--observe', 'suite.eval.yaml', '--list'], { cwd: project.path });
  expect(listed.stdout).toContain('calls it');
});
