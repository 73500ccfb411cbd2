import { expect, test } from 'vitest';
import type { Report } from '../../src/base/model/report.ts';
import { createProject, startCli } from '../project.ts';

test('functions and Python agents that change into the workspace serve all steps and tests', async () => {
  const steps = `  - input: one
    assert: [{ type: files, path: b.txt, equals: one }]
  - input: two
    assert: [{ type: files, path: b.txt, equals: two }]
`;
  const project = createProject({
    'assay.config.yaml': `targets:
  - { name: js, agent: ./agent.mjs, workers: 1 }
  - { name: py, agent: ./agent.py, workers: 1 }
`,
    'agent.mjs': `import { writeFileSync } from 'node:fs';
export default (input, memory, context) => {
  process.chdir(context.workspace);
  writeFileSync('b.txt', input);
  return { output: 'done' };
};
`,
    'agent.py': `import os

def agent(input, memory, context):
    os.chdir(context["workspace"])
    with open("b.txt", "w") as file:
        file.write(input)
    return {"output": "done"}
`,
    'shop/a.txt': 'a\n',
    'suite.test.yaml': `- id: first
  workspace: { template: ./shop }
  steps:
${steps.replaceAll(/^/gm, '  ').trimEnd()}
- id: second
  workspace: { template: ./shop }
  steps:
${steps.replaceAll(/^/gm, '  ').trimEnd()}
`,
  });
  try {
    const args = ['run', '--target', 'js,py', '--reporter', 'json', '--strict'];
    const { stdout, stderr } = await startCli(args, { cwd: project.path });
    const { results } = JSON.parse(stdout) as Report;
    expect(
      results.map(({ test: id, target, verdict, error }) => [id, target, error?.message ?? verdict]),
      stderr,
    ).toEqual([
      ['first', 'js', 'passed'],
      ['first', 'py', 'passed'],
      ['second', 'js', 'passed'],
      ['second', 'py', 'passed'],
    ]);
  } finally {
    project.remove();
  }
});
