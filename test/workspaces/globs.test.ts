import { expect, test } from 'vitest';
import type { Report } from '../../src/base/model/report.ts';
import { createProject, runCli } from '../project.ts';

const CONFIG = `targets: [{ name: agent, command: [sh, -c, "cat > /dev/null; echo '{\\"output\\": \\"done\\"}'"] }]\n`;

test('a glob that no path of a workspace can match is an error: `absent` would pass, and nothing would be protected', async () => {
  const project = createProject({
    'suite.eval.yaml': `workspace: { template: ./shop, exclude: [../shop/solution], protect: ["[z-a]"], artifacts: "!a" }
evalcases:
  - id: t
    input: go
    evaluators:
      - { type: files, path: /etc/passwd, absent: true }
      - { type: diff, only: src/../a }
`,
  });
  try {
    const { stdout, exitCode } = await runCli(['validate', 'suite.eval.yaml'], { cwd: project.path });
    expect(exitCode).toBe(2);
    for (const each of [
      ':1:41 error `../shop/solution` leads out of the workspace',
      ':1:70 error `[z-a]` is not a valid glob',
      ':1:92 error `!a` only takes paths out',
      ':6:30 error `/etc/passwd` begins with `/`',
      ':7:29 error `src/../a` leads out of the workspace',
    ])
      expect(stdout).toContain(each);
  } finally {
    project.remove();
  }
});

test('a path that a setup filled in is checked as well, and `.` is the whole workspace', async () => {
  const project = createProject({
    'assay.config.yaml': CONFIG,
    'shop/a.txt': 'a\n',
    'suite.eval.yaml': `workspace: { template: ./shop }
evalcases:
  - id: leads out
    input: go
    setup: [echo, '{ "place": "/tmp" }']
    evaluators: [{ type: files, path: "{{place}}/a.txt", absent: true }]
  - id: all
    input: go
    evaluators: [{ type: files, path: ., unchanged: true }, { type: files, path: ./././a.txt, exists: true }]
`,
  });
  try {
    const args = ['run', '--allow-scripts', '--reporter', 'json'];
    const { stdout } = await runCli(args, { cwd: project.path });
    const { results } = JSON.parse(stdout) as Report;
    expect(results.map(({ error, verdict }) => error?.message ?? verdict)).toEqual([
      expect.stringContaining('`/tmp/a.txt` begins with `/`'),
      'passed',
    ]);
  } finally {
    project.remove();
  }
});
