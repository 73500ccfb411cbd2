import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type Project } from '../project.ts';

const projects: Project[] = [];
afterEach(() => {
  for (const each of projects.splice(0)) each.remove();
});

/** A project whose agent is a shell script: it runs in the workspace. */
function project(files: Readonly<Record<string, string>>): { readonly path: string; readonly tmp: string } {
  const made = createProject({
    'assay.config.yaml': 'targets: [{ name: agent, command: [sh, agent.sh] }]\n',
    'shop/src/cart.js': 'export const total = 1;\n',
    'shop/tests/cart.test.js': 'exit 1\n',
    'shop/solution/answer.js': 'secret\n',
    ...files,
  });
  projects.push(made);
  const tmp = join(made.path, 'tmp');
  mkdirSync(tmp);
  return { path: made.path, tmp };
}

interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly records: readonly AttemptRecord[];
  /** What is left of workspaces. */
  readonly left: readonly string[];
}

async function run(
  { path, tmp }: { readonly path: string; readonly tmp: string },
  args: readonly string[] = [],
): Promise<Outcome> {
  const result = await runCli(
    ['run', '--quiet', ...args].filter((arg) => arg !== '--quiet'),
    {
      cwd: path,
      env: { TMPDIR: tmp },
    },
  );
  const runs = join(path, '.assay/runs');
  const [last] = existsSync(runs)
    ? readdirSync(runs)
        .filter((name) => /^\d/.test(name))
        .toSorted()
        .slice(-1)
    : [];
  const journal = last === undefined ? '' : readFileSync(join(runs, last, 'results.jsonl'), 'utf8');
  const records = journal
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AttemptRecord)
    .filter(({ id }) => id !== undefined);
  const store = readdirSync(tmp).find((name) => name.startsWith('assay-workspaces-'));
  return { ...result, records, left: store === undefined ? [] : readdirSync(join(tmp, store)) };
}

const REPLY = `echo '{"output": "done"}'`;

const suite = (more: string, checks: string): string => `evalcases:
  - id: t
    input: go
    workspace:
      template: ./shop
      exclude: [solution/**]
${more}
    evaluators:
${checks}
`;

test('an agent works in a fresh copy; files, diff and command check it; the record has the diff', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; sed -i s/1/2/ src/cart.js; echo new > src/new.js; ls; ${REPLY}`.replace(
      'ls; ',
      'ls > ls.txt; ',
    ),
    'suite.eval.yaml': suite(
      '',
      `      - { type: files, path: src/cart.js, contains: "total = 2" }
      - { type: files, path: "solution/**", absent: true }
      - { type: files, path: tests/cart.test.js, unchanged: true }
      - { type: diff, only: [src/**, ls.txt], max_files: 3, max_lines: 20 }
      - { type: command, command: [cat, src/cart.js], stdout: { $contains: "total = 2" } }`,
    ),
  });
  const { exitCode, stdout, stderr, records, left } = await run(place, ['--allow-scripts']);
  expect(stderr + stdout).toContain('1 passed');
  expect(exitCode).toBe(0);
  const { workspace } = records[0]!;
  expect(workspace?.changes.map(({ path, change }) => `${path} ${change}`)).toEqual([
    'ls.txt added',
    'src/cart.js modified',
    'src/new.js added',
  ]);
  expect(workspace?.diff).toContain('-export const total = 1;\n+export const total = 2;');
  expect(readFileSync(join(place.path, 'shop/src/cart.js'), 'utf8')).toContain('total = 1');
  expect(left).toEqual([]);
});

const OK = '      - { type: files, path: src/cart.js, exists: true }';

test('programs of a suite run only with --allow-scripts: without it the test is an error that names them', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; ${REPLY}`,
    'suite.eval.yaml': suite(
      '    setup: [touch, made]\n    teardown: [sh, -c, "touch $PWD/../../../torn"]',
      `${OK}\n      - { type: command, command: [test, -e, made] }`,
    ),
  });
  const refused = await run(place);
  expect(refused.exitCode).toBe(3);
  expect(refused.stdout).toContain('--allow-scripts');
  expect(refused.records[0]).toMatchObject({ verdict: 'error', steps: [] });
  expect(existsSync(join(place.tmp, 'torn'))).toBe(false);
  const setupOnly = await run({
    ...place,
    path: project({
      'agent.sh': `cat > /dev/null; ${REPLY}`,
      'suite.eval.yaml': suite('    setup: [touch, made]', OK),
    }).path,
  });
  expect(setupOnly.records[0]?.error?.message).toContain('`setup` of the test may not run');
  const allowed = await run(place, ['--allow-scripts']);
  expect(allowed.exitCode).toBe(0);
  expect(existsSync(join(place.tmp, 'torn'))).toBe(true);
});

test('what setup prints fills templates; a file-level setup runs once, and a test-level one in each workspace', async () => {
  const place = project({
    'agent.sh': `cat > request.json; ${REPLY}`,
    'suite.eval.yaml': `workspace: { template: ./shop }
setup: [sh, -c, 'echo x >> once; echo noise; echo "{\\"port\\": 4711}"']
repeats: 2
evalcases:
  - id: t
    input: use port {{port}} and {{name}}
    setup: [sh, -c, 'echo y >> each; echo "{\\"name\\": \\"Ann\\"}"']
    evaluators:
      - { type: files, path: once, equals: "x\\n" }
      - { type: files, path: each, equals: "y\\n" }
      - { type: files, path: request.json, json: { $partial: { input: "use port 4711 and Ann" } } }
      - { type: contains, value: "{{port}}", negate: true }
`,
  });
  const { exitCode, records, stdout, left } = await run(place, ['--allow-scripts', '--strict']);
  expect(stdout).toContain('1 passed');
  expect(exitCode).toBe(0);
  expect(records).toHaveLength(2);
  expect(records[0]!.workspace!.changes.map(({ path }) => path)).toEqual(['request.json']);
  expect(left).toEqual([]);
});

test.each([
  ['prints no JSON', '[sh, -c, "echo hello"]', undefined],
  ['exits 1', '[sh, -c, "echo broken >&2; exit 1"]', 'exited with code 1:\nbroken'],
  ['hangs', '[sleep, "1000"]', 'took longer than 0.3 s (timeouts.setup)'],
  ['is not there', '[no-such-program-here]', 'cannot be started'],
])('a setup that %s: teardown still runs', async (_what, setup, message) => {
  const place = project({
    'agent.sh': `cat > /dev/null; ${REPLY}`,
    'suite.eval.yaml': suite(
      `    setup: ${setup}\n    teardown: [sh, -c, "echo x >> ../../../torn"]\n    timeouts: { setup: ${message?.includes('longer') === true ? '300ms' : '1m'} }`,
      OK,
    ),
  });
  const { records, left } = await run(place, ['--allow-scripts']);
  if (message === undefined) expect(records[0]?.verdict).toBe('passed');
  else {
    expect(records[0]).toMatchObject({ verdict: 'error', error: { kind: 'workspace' } });
    expect(records[0]!.error!.message).toContain(message);
    expect(records[0]!.error!.message).toContain('suite.eval.yaml:');
  }
  expect(readFileSync(join(place.tmp, 'torn'), 'utf8')).toBe('x\n');
  expect(left).toEqual([]);
});

test.each([
  ['is missing', (folder: string) => void folder, 'template: ./none', 'does not exist'],
  ['contains the copies', (folder: string) => void folder, 'template: .', 'the folder of all workspaces'],
  [
    'has a link that leads out',
    (folder: string) => symlinkSync('../../suite.eval.yaml', join(folder, 'shop/src/out')),
    'template: ./shop',
    'the link src/out leads out of the template',
  ],
  [
    'has an absolute link',
    (folder: string) => symlinkSync('/etc/passwd', join(folder, 'shop/passwd')),
    'template: ./shop',
    'the link passwd leads out',
  ],
  [
    'has a link to a link that leads out',
    (folder: string) => {
      symlinkSync('/etc', join(folder, 'etc'));
      symlinkSync('../etc/passwd', join(folder, 'shop/two'));
    },
    'template: ./shop',
    'the link two leads out',
  ],
  [
    'has a link to itself',
    (folder: string) => symlinkSync('loop', join(folder, 'shop/loop')),
    'template: ./shop',
    'leads to itself',
  ],
])(
  'a template that %s is an error with its place, and the agent is not called',
  async (_what, spoil, template, message) => {
    const place = project({ 'agent.sh': `touch ${'$'}{TMPDIR}/called; ${REPLY}`, 'suite.eval.yaml': '' });
    writeFileSync(join(place.path, 'suite.eval.yaml'), suite('', OK).replace('template: ./shop', template));
    spoil(place.path);
    const { records, left, exitCode } = await run(place);
    expect(exitCode).toBe(3);
    expect(records[0]!.error!.kind).toBe('workspace');
    expect(records[0]!.error!.message).toContain(message);
    expect(existsSync(join(place.tmp, 'called'))).toBe(false);
    expect(left).toEqual([]);
  },
);

test('links inside of the template are copied as links', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; test -L latest && ${REPLY}`,
    'suite.eval.yaml': suite('', '      - { type: files, path: latest, contains: total }'),
  });
  symlinkSync('src/cart.js', join(place.path, 'shop/latest'));
  expect((await run(place)).records[0]?.verdict).toBe('passed');
});

test('protected files are restored before anything is graded, and a change there is reported', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; rm -r tests; ln -s /etc tests; echo ok > hack.test.js; ${REPLY}`,
    'suite.eval.yaml': suite(
      '      protect: [tests/**, "*.test.js"]',
      `      - { type: files, path: tests/cart.test.js, equals: "exit 1\\n" }
      - { type: command, command: [sh, tests/cart.test.js], exit_code: 1 }
      - { type: files, path: hack.test.js, absent: true }`,
    ),
  });
  const { records, stderr } = await run(place, ['--allow-scripts']);
  expect(records[0]!.error ?? records[0]!.verdict).toBe('passed');
  expect(records[0]!.workspace!.protected_changed).toEqual(['hack.test.js', 'tests/cart.test.js']);
  expect(stderr).toContain('protected_changed');
  expect((await run(place, ['--allow-scripts', '--strict'])).records[0]!.verdict).toBe('error');
});

test('a glob of protect that matches no file is a warning: a misspelled one protects nothing', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; echo ok > tests/cart.test.js; ${REPLY}`,
    'suite.eval.yaml': suite(
      '      protect: [test/**]',
      '      - { type: files, path: tests/cart.test.js, exists: true }',
    ),
  });
  const { records, stderr } = await run(place);
  expect(records[0]!.verdict).toBe('passed');
  expect(stderr).toContain('no file of the workspace matches `test/**` of `protect` (nothing_protected)');
  expect((await run(place, ['--strict'])).records[0]!.verdict).toBe('error');
});

test.each(['that answers', 'that fails'])(
  'an agent that replaces its workspace by a link and %s: nothing is read or torn down where the link leads',
  async (end) => {
    const place = project({ 'victim/precious': 'data' });
    const victim = join(place.path, 'victim');
    const last = end === 'that fails' ? 'exit 1' : REPLY;
    const files = {
      'agent.sh': `cat > /dev/null; here=$PWD; cd ..; rm -r "$here"; ln -s ${victim} "$here"; ${last}`,
      'suite.eval.yaml': suite(
        '      artifacts: "**"\n    teardown: [sh, -c, "touch torn-here; rm -rf ./*"]',
        OK,
      ),
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(place.path, name), content);
    const { records, left } = await run(place, ['--allow-scripts']);
    expect(records[0]!.error?.kind ?? records[0]!.verdict).toBe(end === 'that fails' ? 'agent' : 'failed');
    expect(records[0]!.findings?.map(({ code }) => code)).toContain('workspace_deleted');
    expect(records[0]!.workspace!.diff).not.toContain('precious');
    expect(records[0]!.workspace!.artifacts).toEqual([]);
    expect(readdirSync(victim)).toEqual(['precious']);
    expect(left).toEqual([]);
  },
);

test('a daemon that leaves the agent is ended before anything is graded', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; setsid sh -c 'echo $$ > pid; while true; do echo x >> busy; sleep 0.01; done' < /dev/null > /dev/null 2>&1 &
while [ ! -s busy ]; do sleep 0.01; done; ${REPLY}`,
    'suite.eval.yaml': suite(
      '',
      '      - { type: files, path: busy, exists: true }\n      - { type: files, path: pid, exists: true }',
    ).replace('template: ./shop', 'template: ./shop\n      artifacts: [pid]'),
  });
  const { records, left } = await run(place);
  expect(records[0]!.error ?? records[0]!.verdict).toBe('passed');
  const kept = readFileSync(
    join(
      place.path,
      '.assay/runs',
      readdirSync(join(place.path, '.assay/runs')).find((name) => /^\d/.test(name))!,
      records[0]!.workspace!.artifacts![0]!.path,
    ),
    'utf8',
  );
  const state = existsSync(`/proc/${kept.trim()}/stat`)
    ? readFileSync(`/proc/${kept.trim()}/stat`, 'utf8')
    : 'Z';
  // Where nobody reaps it, it is at least dead.
  expect(state.slice(state.lastIndexOf(')') + 1).trim()[0]).toMatch(/[ZX]/);
  expect(left).toEqual([]);
});

test('an agent that takes too long: the time limit of the agent is named, and what it did is recorded', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; echo half > half.js; sleep 1000`,
    'suite.eval.yaml': suite('    timeouts: { agent: 1s }\n    teardown: [touch, ../../../torn]', OK),
  });
  const { records, left } = await run(place, ['--allow-scripts']);
  expect(records[0]!.error).toMatchObject({ kind: 'timeout' });
  expect(records[0]!.error!.message).toContain('timeouts.agent');
  expect(records[0]!.workspace!.changes.map(({ path }) => path)).toEqual(['half.js']);
  expect(existsSync(join(place.tmp, 'torn'))).toBe(true);
  expect(left).toEqual([]);
});

test('checks that take too long: their time limit is named', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; ${REPLY}`,
    'suite.eval.yaml': suite(
      '    timeouts: { checks: 500ms }',
      '      - { type: command, command: [sleep, "1000"] }',
    ),
  });
  const { records } = await run(place, ['--allow-scripts']);
  expect(records[0]!.verdict).toBe('error');
  expect(records[0]!.error!.message).toContain('timeouts.checks');
});

test('keep: on_failure keeps the workspace of a failed test, and says where it is', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; echo mine > mine.js; ${REPLY}`,
    'suite.eval.yaml': suite(
      '      keep: on_failure',
      '      - { type: files, path: mine.js, absent: true }',
    ),
  });
  const { records, stdout } = await run(place);
  const folder = records[0]!.workspace!.folder!;
  expect(stdout).toContain(folder);
  expect(readFileSync(join(folder, 'mine.js'), 'utf8')).toBe('mine\n');
  // The next start leaves it alone.
  await run(place);
  expect(existsSync(folder)).toBe(true);
});

test('recorded results have no workspace: its evaluators are not measured, and never pass', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; ${REPLY}`,
    'suite.eval.yaml': suite('', `${OK}\n      - { type: diff, max_files: 9 }`),
  });
  expect((await run(place)).exitCode).toBe(0);
  const graded = await runCli(['grade'], { cwd: place.path, env: { TMPDIR: place.tmp } });
  expect(graded.exitCode).toBe(3);
  expect(graded.stdout).toContain('there is no workspace to look at');
});

test('an agent that changes git config, PATH and hooks changes nothing of the diff', async () => {
  const place = project({
    'agent.sh': `cat > /dev/null; git config --local diff.external /bin/false; git config --global core.pager x; printf '#!/bin/sh\\ntouch ../../../hooked' > .git/hooks/pre-commit 2>/dev/null; echo '[core]' > .gitattributes; echo '*.js diff=evil' > .gitattributes; mkdir -p bin; printf '#!/bin/sh\\nexit 0' > bin/cat; chmod +x bin/cat; PATH=$PWD/bin:$PATH; echo 'export const total = 3;' > src/cart.js; ${REPLY}`,
    'suite.eval.yaml': suite(
      '      git: fresh\n    environment: { home: clean }',
      `      - { type: command, command: [cat, src/cart.js], stdout: "export const total = 3;" }
      - { type: diff, only: [src/cart.js, .gitattributes, bin/cat] }`,
    ),
  });
  const { records } = await run(place, ['--allow-scripts']);
  expect(records[0]!.error ?? records[0]!.verdict).toBe('passed');
  expect(records[0]!.workspace!.diff).toContain('+export const total = 3;');
  expect(existsSync(join(place.tmp, 'hooked'))).toBe(false);
});

test('run --changed notices a template that was edited', async () => {
  const place = project({
    'assay.config.yaml': 'targets: [{ name: agent, command: [sh, agent.sh], depends_on: [agent.sh] }]\n',
    'agent.sh': `cat > /dev/null; ${REPLY}`,
    'suite.eval.yaml': suite('', '      - { type: files, path: src/cart.js, contains: total = 1 }'),
  });
  expect((await run(place, ['--changed'])).stdout).toContain('1 passed');
  expect((await run(place, ['--changed'])).stdout).toContain('come from the earlier run');
  writeFileSync(join(place.path, 'shop/src/cart.js'), 'export const total = 7;\n');
  const { exitCode, stdout } = await run(place, ['--changed']);
  expect(stdout).toContain('1 failed');
  expect(exitCode).toBe(1);
});
