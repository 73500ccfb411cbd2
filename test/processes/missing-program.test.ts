import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMissingProgram } from '../../src/agents/processes/missing-program.ts';
import { createProject } from '../project.ts';

let project: ReturnType<typeof createProject>;
beforeAll(() => {
  project = createProject({ 'judge.mjs': '', 'run.sh': '', 'plain.sh': '', 'sub/judge.py': '' });
  chmodSync(join(project.path, 'run.sh'), 0o755);
});
afterAll(() => project.remove());

const look = (command: string | readonly string[], folder = '.') =>
  findMissingProgram(command, { cwd: join(project.path, folder), env: process.env });

test.each<[string | readonly string[]]>([
  [['node', 'judge.mjs', 'missing.json']],
  [['node', '--no-warnings', '-r', 'dotenv/config.js', 'judge.mjs']],
  [['node', '-e', 'code', 'missing.mjs']],
  [['node', 'some-module']],
  [['python3', '-m', 'pytest', 'missing.py']],
  [['python3', '-u', 'sub/judge.py']],
  [['./run.sh']],
  [['sh', 'run.sh']],
  ['node judge.mjs'],
  ['A=1 B=2 node judge.mjs | cat'],
  ['cd sub && python3 judge.py'],
  ['[ -f x ] || missing-program'],
  ['echo \'{"score": 1}\''],
  ['"$HOME"/bin/missing'],
  ['(missing-program)'],
  ['if true; then echo; fi'],
  ['! missing-program'],
  ['~/missing'],
  ["grep 'a;b' x"],
  ['A=$(cat x) missing-program'],
  ['node "$FOLDER/missing.mjs" x.mjs'],
  ['node -r "$X" missing.mjs'],
  [''],
])('%j can be started, as far as can be known', (command) => {
  expect(look(command)).toBeUndefined();
});

test.each<[string | readonly string[], string, boolean]>([
  [['node', 'jugde.mjs'], 'there is no file jugde.mjs in', false],
  [['node', '--no-warnings', '--import', 'tsx', 'jugde.ts'], 'there is no file jugde.ts in', false],
  [['python3', 'judge.py'], 'there is no file judge.py in', false],
  [['bash', '-x', 'missing.sh'], 'there is no file missing.sh in', false],
  [['./missing'], 'there is no executable program "./missing" in', false],
  [['./plain.sh'], 'there is no executable program "./plain.sh" in', false],
  [['./sub'], 'there is no executable program "./sub" in', false],
  [['no-such-program-here'], 'there is no executable program "no-such-program-here" on the PATH', true],
  [
    'no-such-program-here --flag; true',
    'there is no executable program "no-such-program-here" on the PATH',
    true,
  ],
  ['node missing.mjs "$KEY" | cat', 'there is no file missing.mjs in', false],
  ['X=1 node missing.mjs > out', 'there is no file missing.mjs in', false],
])('%j cannot be started', (command, message, isLocal) => {
  expect(look(command)).toEqual({ message: expect.stringContaining(message), isLocal });
});

test('nothing can be started in a missing folder', () => {
  expect(look(['node', 'judge.mjs'], 'nowhere')).toMatchObject({ isLocal: false });
});
