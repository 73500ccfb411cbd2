import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

test('a claim about tools says that nothing was observed, and what to do, if the agent bypasses fetch', async () => {
  const project = createProject({
    // Calls its model over its own socket.
    'agent.mjs': `
      import { connect } from 'node:net';
      export const agent = (input) => new Promise((resolve) => {
        connect(1, '127.0.0.1').on('error', () => resolve(input === 'object' ? { output: 'x' } : 'x'));
      });`,
    'a.test.yaml': [
      '- { id: a, input: text, assert: { tools_used: [] } }',
      '- { id: b, input: object, assert: { tools_used: [] } }',
    ].join('\n'),
  });
  const args = ['run', '--agent', './agent.mjs', '--reporter', 'json', '--no-record'];
  const { stdout } = await runCli(args, { cwd: project.path });
  project.remove();
  const { results, findings } = JSON.parse(stdout);
  expect(results[0]).toMatchObject({ verdict: 'error' });
  const { message } = results[0].steps[0].assertions[0].error;
  expect(message).toContain('no model call was observed');
  expect(message).toMatch(/tools_used.*fetch.*node:http.*observe: true/);
  expect(findings).toMatchObject([
    { code: 'no_trace', message: expect.stringContaining('no model call was observed') },
  ]);
});

test('`observe: true` without effect is a warning at its place', async () => {
  const project = createProject({
    'assay.config.yaml': [
      'targets:',
      '  - name: url',
      '    url: http://127.0.0.1:1/',
      '    observe: true',
      '  - name: address',
      '    agent: http://127.0.0.1:1/',
      '    observe: true',
      '  - name: batch',
      '    command_template: ./all {EVAL_ID}',
      '    provider_batching: true',
      '    observe: true',
      '  - { name: started, url: "http://127.0.0.1:1/", start: [./serve], observe: true }',
      '  - { name: line, command_template: "./one {PROMPT}", observe: true }',
      '  - { name: function, agent: ./agent.mjs, observe: true }',
      '  - { name: off, url: "http://127.0.0.1:1/", observe: false }',
    ].join('\n'),
    'a.test.yaml': '- { id: a, input: x, assert: { output.includes: x } }',
  });
  const { stdout } = await runCli(['validate', '--json'], { cwd: project.path });
  project.remove();
  const found = JSON.parse(stdout).findings.filter(({ code }: { code: string }) => code === 'without_effect');
  expect(found).toMatchObject([
    { severity: 'warning', file: 'assay.config.yaml', line: 4, column: 5, path: 'targets[0].observe' },
    { line: 7, path: 'targets[1].observe' },
    { line: 11, path: 'targets[2].observe' },
  ]);
  expect(found).toHaveLength(3);
});
