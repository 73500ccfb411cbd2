import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createTapedProject, FETCH_AGENT, type TapedProject } from './taped-project.ts';

let project: TapedProject;
afterEach(() => project.remove());

test('`assay cassettes` lists cassettes, shows one, and removes those that no test uses', async () => {
  project = await createTapedProject({
    'assay.config.yaml': 'agent: ./agent.mjs\n',
    'agent.mjs': FETCH_AGENT,
    'weather.eval.yaml':
      'tests:\n  - { id: paris, input: Weather in Paris?, assert: [{ type: contains, value: "21" }] }\n',
    'old.eval.yaml':
      'tests:\n  - { id: a, input: A, assert: [{ type: contains, value: "21" }] }\n  - { id: b, input: B, assert: [{ type: contains, value: "21" }] }\n',
  });
  expect((await project.run(['cassettes'])).stdout).toBe('0 cassettes\n');
  expect((await project.run(['run', '--cassettes', 'record'])).exitCode).toBe(0);
  writeFileSync(
    join(project.path, 'old.eval.yaml'),
    'tests:\n  - { id: b, input: B, assert: [{ type: contains, value: "21" }] }\n',
  );
  const listed = await project.run(['cassettes', 'list']);
  expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(listed.stdout.replaceAll(/\d+ KB/g, 'N KB')).toBe(
    `cassettes/old.eval.yaml/a@default.json  1 repeat, 2 agent calls, 0 judge calls, N KB, no test uses it
cassettes/old.eval.yaml/b@default.json  1 repeat, 2 agent calls, 0 judge calls, N KB
cassettes/weather.eval.yaml/paris@default.json  1 repeat, 2 agent calls, 0 judge calls, N KB
3 cassettes, 1 of no test (\`assay cassettes prune\` removes them)
`,
  );
  const shown = await project.run(['cassettes', 'show', 'cassettes/weather.eval.yaml/paris@default.json']);
  expect(shown.stdout).toBe(`weather.eval.yaml: paris (target default)

1.1  step 1  POST /v1/chat/completions  test-model
  system: You are brief.
    Use tools.
  user: Weather in Paris?
  => weather({"city":"Paris"})

1.2  step 1  POST /v1/chat/completions  test-model
  assistant: {"tool_calls":[{"type":"function","id":"#1","function":{"name":"weather","arguments":"{\\"city\\":\\"Paris\\"}"}}]}
  tool: {"degrees":21}
    {"tool_call_id":"#1"}
  => Weather in Paris?: 21 degrees, answer 1
`);
  const trial = await project.run(['cassettes', 'prune', '--dry-run']);
  expect(trial.stdout).toBe('would remove cassettes/old.eval.yaml/a@default.json\n1 cassette to remove\n');
  expect(Object.keys(project.cassettes())).toHaveLength(3);
  // A suite with errors may have more tests than can be seen: nothing of it is removed.
  writeFileSync(join(project.path, 'weather.eval.yaml'), 'tests:\n  - { input: x }\n');
  writeFileSync(join(project.path, 'cassettes', 'broken.json'), '{');
  const pruned = await project.run(['cassettes', 'prune']);
  expect(pruned.stdout).toBe(
    'removed cassettes/old.eval.yaml/a@default.json\n1 cassette removed, 2 kept that cannot be checked\n',
  );
  expect(Object.keys(project.cassettes())).toHaveLength(3);
  const damaged = await project.run(['cassettes']);
  expect(damaged.exitCode).toBe(2);
  expect(damaged.stdout).toContain(
    'cassettes/broken.json  the cassette cassettes/broken.json cannot be used: it is damaged',
  );
  for (const args of [
    ['cassettes', 'all'],
    ['cassettes', 'show'],
    ['cassettes', 'show', 'nothing.json'],
  ])
    expect((await project.run(args)).exitCode).toBe(2);
});
