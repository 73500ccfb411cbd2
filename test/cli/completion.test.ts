import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { inTerminal } from '../in-terminal.ts';
import { needProgram } from '../need-program.ts';
import { createProject } from '../project.ts';

/** Tab, as a person presses it, and then Enter: what does the program get? */
const TAB = '\t';

/** What is typed, and the arguments that `assay` then starts with. Every shell must agree. */
const CASES: readonly (readonly [string, readonly string[]])[] = [
  [`pru${TAB}`, ['prune']],
  [`--vers${TAB}`, ['--version']],
  [`help comple${TAB}`, ['help', 'completion']],
  [`completion zs${TAB}`, ['completion', 'zsh']],
  [`run --max-fl${TAB}`, ['run', '--max-flaky']],
  [`run --reporter jun${TAB}`, ['run', '--reporter', 'junit']],
  [`run --reporter=jun${TAB}`, ['run', '--reporter=junit']],
  [`report --reporter mark${TAB}`, ['report', '--reporter', 'markdown']],
  [`run --cassettes=rep${TAB}`, ['run', '--cassettes=replay']],
  [`run --cassettes rep${TAB}`, ['run', '--cassettes', 'replay']],
  [`run --target fas${TAB}`, ['run', '--target', 'fast']],
  [`run --target=fas${TAB}`, ['run', '--target=fast']],
  [`run --target slow,fas${TAB}`, ['run', '--target', 'slow,fast']],
  [`run --target azure${TAB}`, ['run', '--target', 'azure:gpt']],
  [`run --target=azure:g${TAB}`, ['run', '--target=azure:gpt']],
  [`run --target my${TAB}`, ['run', '--target', 'my target']],
  [`run --target it${TAB}`, ['run', '--target', "it's"]],
  [`run plai${TAB}`, ['run', 'plain.test.yaml']],
  [`run with${TAB}`, ['run', 'with a space.test.yaml']],
  [`run "with${TAB}`, ['run', 'with a space.test.yaml']],
  [`run quo${TAB}`, ['run', "quo'te.test.yaml"]],
  [`run col${TAB}`, ['run', 'col:on.test.yaml']],
  [`run --agent my-a${TAB}`, ['run', '--agent', 'my-agent.mjs']],
  [`run --agent=my-a${TAB}`, ['run', '--agent=my-agent.mjs']],
  [`run --reporter junit=wi${TAB}`, ['run', '--reporter', 'junit=with a space.test.yaml']],
  [`run --verbose -t x plai${TAB}`, ['run', '--verbose', '-t', 'x', 'plain.test.yaml']],
  [`run --watch plai${TAB}`, ['run', '--watch', 'plain.test.yaml']],
  [`run --bail 2 plai${TAB}`, ['run', '--bail', '2', 'plain.test.yaml']],
  [`schema sid${TAB}`, ['schema', 'sidecar']],
  [`run -- plai${TAB}`, ['run', '--', 'plain.test.yaml']],
  // The word of a command further on is not a command.
  [`show run --js${TAB}`, ['show', 'run', '--json']],
];

/** How each shell starts without anybody's settings, and takes the script. */
const SHELLS = {
  bash: {
    argv: ['--norc', '--noprofile', '-i'],
    setUp: 'bind "set bell-style none"; source ./script.bash',
  },
  zsh: {
    argv: ['-f', '-i'],
    setUp: 'autoload -Uz compinit; compinit -D -u; setopt no_beep; source ./script.zsh',
  },
  fish: {
    argv: ['--no-config', '-i'],
    setUp: 'set fish_greeting; source ./script.fish',
  },
} as const;

let project: ReturnType<typeof createProject>;

beforeAll(() => {
  project = createProject({
    'assay.config.yaml':
      'targets: [{name: fast, agent: ./a.mjs}, {name: "azure:gpt", agent: ./a.mjs}, {name: my target, agent: ./a.mjs}, {name: "it\'s", agent: ./a.mjs}]\n',
    'bin/assay': `#!/bin/sh
if [ "$1" = completion ] && [ "$2" = targets ]; then exec '${process.execPath}' '${resolve('dist/cli.cjs')}' "$@"; fi
for each in "$@"; do printf '%s\\n' "$each" >> "$ARGUMENTS"; done
echo >> "$ARGUMENTS"
`,
    // No `assay` beside it: it is the one of the project.
    'only-npx/npx': `#!/bin/sh
while [ "$1" != assay ]; do shift; done
shift
exec "$HOME/bin/assay" "$@"
`,
    'plain.test.yaml': '',
    'with a space.test.yaml': '',
    "quo'te.test.yaml": '',
    'col:on.test.yaml': '',
    'my-agent.mjs': '',
  });
  for (const name of ['bin/assay', 'only-npx/npx']) chmodSync(join(project.path, name), 0o755);
});
afterAll(() => project.remove());

describe.each(Object.entries(SHELLS))('%s', (shell, { argv, setUp }) => {
  test.each([
    ['assay', 'bin'],
    ['npx assay', 'only-npx'],
    ['npx --no-install assay', 'only-npx'],
  ])(
    'completes %s for real, and what it completes arrives as one argument',
    { timeout: 120_000 },
    async (typedFirst, folder) => {
      const program = needProgram(shell, shell);
      const script = execFileSync(process.execPath, ['dist/cli.cjs', 'completion', shell], {
        encoding: 'utf8',
      });
      writeFileSync(join(project.path, `script.${shell}`), script);
      const file = join(project.path, `arguments.${shell}`);
      writeFileSync(file, '');
      // Another way to start Assay completes the same.
      const some = CASES.filter((_case, index) => index % 4 === 0);
      const cases = folder === 'bin' ? CASES : effort({ short: some, long: CASES });
      const lines = [setUp, ...cases.map(([typed]) => `${typedFirst} ${typed}`), 'exit'];
      const [first = '', ...args] = inTerminal([program, ...argv]);
      const child = spawn(first, args, {
        cwd: project.path,
        env: {
          PATH: `${project.path}/${folder}:${process.env['PATH']}`,
          HOME: project.path,
          TERM: 'dumb',
          LC_ALL: 'C.UTF-8',
          ARGUMENTS: file,
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      let screen = '';
      child.stdout.on('data', (data: Buffer) => (screen += data.toString()));
      child.stdin.on('error', () => undefined);
      child.stdin.write(lines.map((line) => `${line}\r`).join(''));
      await new Promise((done) => child.once('close', done));
      const got = readFileSync(file, 'utf8')
        .split('\n\n')
        .slice(0, -1)
        .map((block) => block.split('\n'));
      for (const problem of ['bad option', 'not found', 'unknown']) expect(screen).not.toContain(problem);
      expect(got, screen).toEqual(cases.map(([, expected]) => expected));
    },
  );
});
