import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

test.each(["export { agent } from /* why */ './real.mjs';", "export { agent } from// why\n'./real.mjs';"])(
  'a module that exports from another one is loaded with it, for each file: %s',
  async (text) => {
    const files = ['a', 'b', 'c'].map((name) => [
      `${name}.test.yaml`,
      `- {id: ${name}, input: x, assert: {output.equals: "1"}}\n`,
    ]);
    const project = createProject({
      'agent.mjs': `${text}\n`,
      'real.mjs': 'let count = 0;\nexport const agent = () => String(++count);\n',
      ...Object.fromEntries(files),
    });
    const { exitCode, stdout } = await runCli(['run', '--agent', './agent.mjs'], { cwd: project.path });
    project.remove();
    expect(stdout).toContain('3 passed (3)');
    expect(exitCode).toBe(0);
  },
);
