import { expect, test } from 'vitest';
import { createProject, startCli } from '../project.ts';

const SUITE = 'input: hello\nassert: { output.includes: NOPE }\n';
const OK = 'export const agent = (input) => input;\n';
const NEVER = 'new Promise(() => {})';

test.each([
  [
    'an agent that never finishes loading',
    { 'agent.mjs': `await ${NEVER};\n${OK}` },
    [],
    'it never finishes',
  ],
  [
    'a reporter that never ends',
    { 'agent.mjs': OK, 'rep.mjs': `export default () => ({ onRunEnd: () => ${NEVER} });\n` },
    ['--reporter', './rep.mjs'],
    'never finished, so the command cannot complete',
  ],
])(
  '%s does not end as a success',
  async (_what, files: Record<string, string>, args: readonly string[], said: string) => {
    const project = createProject({ ...files, 'a.test.yaml': SUITE });
    const { exitCode, stderr } = await startCli(['run', '--agent', './agent.mjs', ...args], {
      cwd: project.path,
    });
    project.remove();
    expect(exitCode).toBe(2);
    expect(stderr).toContain(said);
  },
);
