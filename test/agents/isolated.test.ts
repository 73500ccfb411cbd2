import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CLI, createProject, runCli, startCli, userEnvironment, type Project } from '../project.ts';

/* Agents whose file runs in a process of its own: whatever one does is the error of its test, and nothing else changes. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONFIG = 'agent: ./agent.mjs\n';
/** Blocks, and takes no processor from other tests. */
const WAIT = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

/** `GOOD` tests that pass, and in the middle of them those that are given. */
function suite(bad: readonly string[]): string {
  const inputs = Array.from({ length: GOOD }, (_, index) => `good ${index}`);
  inputs.splice(GOOD / 2, 0, ...bad);
  const tests = inputs.map((input, index) => ({
    id: input.startsWith('good') ? `good-${index}` : input,
    steps: [{ input, assert: { 'output.includes': input } }],
  }));
  return JSON.stringify(tests);
}
const GOOD = 16;

function hostile(code: string): string {
  return `
import fs from 'node:fs';
import { execSync } from 'node:child_process';
export const workers = 4;
export async function agent(input) {
  if (!input.startsWith('good')) { ${code} }
  await new Promise((resolve) => setTimeout(resolve, 20));
  return 'You said ' + input;
}
`;
}

interface Report {
  readonly results: readonly {
    readonly test: string;
    readonly verdict: string;
    readonly error?: { readonly kind: string; readonly message: string };
  }[];
}

async function run(files: Record<string, string>, timeout = '2s', heap?: string) {
  const project = createProject({ 'assay.config.yaml': CONFIG, ...files });
  try {
    const all = ['run', '--reporter', 'json', '--no-stop', '--timeout', timeout];
    const env = { ASSAY_ISOLATE: 'true', NODE_OPTIONS: heap };
    const runWith = heap === undefined ? runCli : startCli;
    const { exitCode, stdout, stderr } = await runWith(all, { cwd: project.path, env });
    return { exitCode, stderr, results: (JSON.parse(stdout) as Report).results };
  } finally {
    project.remove();
  }
}

/** What an agent does, and the error of its test. */
const HOSTILE: Readonly<Record<string, readonly [code: string, kind: string, message: string]>> = {
  blocks: ["execSync('sleep 60')", 'timeout', 'no reply after 2 s'],
  'blocks in a pattern': ['/^(a+)+$/.test("a".repeat(40) + "b")', 'timeout', 'no reply after 2 s'],
  'waits for ever': [WAIT, 'timeout', 'no reply after 2 s'],
  'blocks later': [`await null; ${WAIT}`, 'timeout', 'no reply after 2 s'],
  'never settles': [
    'return { output: new Promise(() => {}), stream: new ReadableStream() }',
    'contract',
    'it has `stream`',
  ],
  aborts: ['process.abort()', 'agent', 'was killed by SIGABRT'],
  exits: ['process.exit(0)', 'agent', 'exited with code 0 in the middle of a step'],
  crashes: ["execSync('kill -SEGV ' + process.pid)", 'agent', 'was killed by SIGSEGV'],
  'is killed': ["execSync('kill -9 ' + process.pid)", 'agent', 'was killed by SIGKILL'],
  'kills itself': ["process.kill(process.pid, 'SIGKILL')", 'agent', 'was killed by SIGKILL'],
  'ends its group': ["process.kill(0, 'SIGTERM')", 'agent', 'was killed by SIGTERM'],
  'breaks JSON': ['JSON.stringify = JSON.parse = () => "{}"; throw new Error("broken")', 'agent', 'broken'],
  'changes directory': [
    "process.chdir('/'); fs.rmSync('nothing', { force: true }); throw new Error('changed')",
    'agent',
    'changed',
  ],
  'throws later': [
    "setTimeout(() => { throw new Error('later'); }, 5); await new Promise(() => {})",
    'agent',
    'later',
  ],
  'writes to the pipes': [
    "fs.writeSync(1, 'one'); fs.writeSync(2, 'two'); fs.writeSync(4, 'three'); throw new Error('written')",
    'contract',
    'cannot be read',
  ],
  'writes to the pipe of replies': [
    'fs.writeSync(4, \'{"call":1}\\n\'); await new Promise(() => {})',
    'contract',
    'wrote to the pipe',
  ],
  'writes nonsense there': [
    "fs.writeSync(4, 'nonsense\\n'); await new Promise(() => {})",
    'contract',
    'cannot be read',
  ],
};

test('hostile agents beside a hundred good tests: all hundred are right, and each other one has its error', async () => {
  const agent = `
import fs from 'node:fs';
import { execSync } from 'node:child_process';
const right = (input) => ({ output: 'You said ' + input, memory: { heard: input } });
export const workers = 4;
export async function agent(input) {
  switch (input) {
${Object.entries(HOSTILE)
  .map(([name, [code]]) => `    case ${JSON.stringify(name)}: { ${code}; return 'x'; }`)
  .join('\n')}
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  return right(input);
}
`;
  const good = Array.from({ length: 100 }, (_, index) => `good ${index}`);
  const bad = Object.keys(HOSTILE);
  const inputs = good.flatMap((input, index) =>
    index % 5 === 3 && bad.length > 0 ? [bad.shift()!, input] : [input],
  );
  const tests = inputs.map((input) => ({
    id: input,
    steps: [{ input, assert: { 'output.equals': `You said ${input}`, 'memory.heard': input } }],
  }));
  const { results, exitCode } = await run({ 'agent.mjs': agent, 'a.test.json': JSON.stringify(tests) });
  const verdicts = new Map(results.map(({ test: id, verdict }) => [id, verdict]));
  expect(
    good.filter((id) => verdicts.get(id) !== 'passed').map((id) => results.find((r) => r.test === id)),
  ).toEqual([]);
  const errors = results.filter(({ test: id }) => id in HOSTILE);
  expect(
    Object.fromEntries(errors.map(({ test: id, error }) => [id, [error?.kind, error?.message]])),
  ).toEqual(
    Object.fromEntries(
      Object.entries(HOSTILE).map(([id, [, kind, text]]) => [id, [kind, expect.stringContaining(text)]]),
    ),
  );
  expect(results).toHaveLength(inputs.length);
  expect(exitCode).toBe(3);
}, 120_000);

test('what an agent leaves behind may block its process, and the run ends', async () => {
  const agent = `export const agent = (input) => { const next = () => process.nextTick(next); next(); return input; };`;
  const { results, exitCode } = await run({
    'agent.mjs': agent,
    'a.test.yaml': 'id: a\ninput: hello\nassert: { output.includes: hello }\n',
  });
  expect(results).toMatchObject([{ verdict: 'passed' }]);
  expect(exitCode).toBe(0);
});

test('an agent that eats memory ends its own process', async () => {
  const eat = 'const kept = []; for (;;) kept.push(new Array(1_000_000).fill(Math.random()));';
  const { results } = await run(
    { 'agent.mjs': hostile(eat), 'a.test.json': suite(['bad']) },
    '60s',
    '--max-old-space-size=100',
  );
  const bad = results.find(({ test: id }) => id === 'bad');
  expect(bad!.error).toMatchObject({
    kind: 'agent',
    message: expect.stringContaining('was killed by SIGABRT'),
  });
  expect(results.filter(({ verdict }) => verdict !== 'passed')).toHaveLength(1);
});

test('a file that never finishes loading is an error before the first test', async () => {
  const project = createProject({
    'assay.config.yaml': CONFIG,
    'agent.mjs': 'export const agent = () => 1;\nawait new Promise(() => {});\n',
    'a.test.yaml': '- {id: a, input: x, assert: {output.includes: y}}\n',
  });
  const { exitCode, stderr } = await runCli(['run'], { cwd: project.path, env: { ASSAY_ISOLATE: 'true' } });
  project.remove();
  expect(stderr).toContain('cannot be loaded: it never finishes');
  expect(exitCode).toBe(2);
});

test('a file that cannot be loaded again is an error of the tests that need it', async () => {
  const agent = `import fs from 'node:fs';\nimport { execSync } from 'node:child_process';
export const agent = (input) => { fs.rmSync('agent.mjs'); execSync('kill -9 ' + process.pid); return input; };\n`;
  const { exitCode, results } = await run({ 'agent.mjs': agent, 'a.test.json': suite([]) });
  expect(results.filter(({ verdict }) => verdict !== 'error')).toEqual([]);
  expect(results[0]!.error!.message).toContain('was killed by SIGKILL');
  expect(results.at(-1)!.error!.message).toContain('cannot be loaded');
  expect(exitCode).toBe(3);
});

test('state of a module does not pass from file to file', async () => {
  const claim = 'input: x, assert: {output.equals: "1"}';
  const { exitCode, results } = await run({
    'agent.mjs': 'let count = 0;\nexport const agent = () => String(++count);\n',
    'a.test.yaml': `- {id: a, ${claim}}\n`,
    'b.test.yaml': `- {id: b, ${claim}}\n`,
  });
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
  expect(exitCode).toBe(0);
});

test('a test between two of its steps is not blamed for a process that another one ended', async () => {
  const agent = `
import { execSync } from 'node:child_process';
export const workers = 2;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export async function agent(input) {
  if (input === 'second') return 'here';
  if (input === 'kill') { await wait(300); execSync('kill -9 ' + process.pid); }
  return 'here';
}`;
  const evaluator = `
import { defineEvaluator } from ${JSON.stringify(join(ROOT, 'dist/index.js'))};
export const slow = defineEvaluator({
  name: 'slow',
  schema: { type: 'object', properties: {} },
  evaluate: async () => { await new Promise((resolve) => setTimeout(resolve, 900)); return { score: 1 }; },
});`;
  const { results } = await run(
    {
      'assay.config.yaml': `evaluators: [./slow.mjs]\n${CONFIG}`,
      'agent.mjs': agent,
      'slow.mjs': evaluator,
      'a.test.json': JSON.stringify([
        {
          id: 'two',
          steps: [
            { input: 'first', assert: [{ type: 'slow' }] },
            { input: 'second', assert: { 'output.includes': 'here' } },
          ],
        },
        { id: 'kill', steps: [{ input: 'kill', assert: { 'output.includes': 'here' } }] },
      ]),
    },
    '5s',
  );
  expect(results.map(({ test: id, verdict }) => [id, verdict])).toEqual([
    ['two', 'passed'],
    ['kill', 'error'],
  ]);
});

test('what a test left behind is not blamed on the next one', async () => {
  const agent = `
import { execSync } from 'node:child_process';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export async function agent(input) {
  if (input === 'leaves') { await wait(1400); execSync('kill -9 ' + process.pid); }
  await wait(800);
  return input;
}`;
  const tests = ['leaves', 'next'].map((id) => ({
    id,
    steps: [{ input: id, assert: { 'output.includes': id } }],
  }));
  const { results } = await run({ 'agent.mjs': agent, 'a.test.json': JSON.stringify(tests) }, '1s');
  expect(results).toMatchObject([
    { test: 'leaves', verdict: 'error', error: { kind: 'timeout' } },
    { test: 'next', verdict: 'passed' },
  ]);
});

test('what is written past the console goes to the terminal, and into no record', async () => {
  const agent = `
import fs from 'node:fs';
export const agent = (input) => {
  fs.writeSync(2, 'said by ' + input + '\\n');
  if (input === 'a') throw new Error('no');
  return input;
};`;
  const tests = ['a', 'b'].map((id) => ({ id, steps: [{ input: id, assert: { 'output.includes': id } }] }));
  const { results, stderr } = await run({ 'agent.mjs': agent, 'a.test.json': JSON.stringify(tests) });
  const printed = (results as unknown as readonly { steps: readonly { printed?: string }[] }[]).map(
    ({ steps }) => steps[0]!.printed,
  );
  expect(printed).toEqual([undefined, undefined]);
  expect(stderr).toContain('said by a');
});

test('what an agent prints is in the record of its test', async () => {
  const { results } = await run({
    'agent.mjs':
      "export const workers = 4;\nexport const agent = async (input) => { await null; console.log('printed', input); return input; };\n",
    'a.test.json': suite([]),
  });
  for (const result of results as unknown as readonly {
    steps: readonly { input: string; printed: string }[];
  }[]) {
    const [step] = result.steps;
    expect(step!.printed).toMatch(/^printed good \d+\n$/);
  }
});

function start(project: Project) {
  const child = spawn(process.execPath, [CLI, 'run', '--timeout', '60s'], {
    cwd: project.path,
    env: userEnvironment(),
    stdio: 'ignore',
  });
  return { child, ended: new Promise<number | null>((resolve) => child.once('exit', resolve)) };
}

const BLOCKING = {
  'assay.config.yaml': CONFIG,
  'agent.mjs': `import fs from 'node:fs';\nexport const agent = () => { fs.writeFileSync('pid', String(process.pid)); ${WAIT} };\n`,
  'a.test.yaml': '- {id: a, input: x, assert: {output.includes: y}}\n',
};

const pidOf = (project: Project): number | undefined =>
  existsSync(join(project.path, 'pid'))
    ? Number(readFileSync(join(project.path, 'pid'), 'utf8')) || undefined
    : undefined;

/** A dead process that its new parent has not buried yet is not alive. */
function isAlive(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
}

const WHILE_LOADING = {
  ...BLOCKING,
  'agent.mjs':
    "import fs from 'node:fs';\nfs.writeFileSync('pid', String(process.pid));\nwhile (true) {}\nexport const agent = () => 'x';\n",
};

test.each([
  ['SIGINT', 'in a call', BLOCKING],
  ['SIGTERM', 'in a call', BLOCKING],
  ['SIGKILL', 'in a call', BLOCKING],
  ['SIGINT', 'while it is loaded', WHILE_LOADING],
  ['SIGTERM', 'while it is loaded', WHILE_LOADING],
  ['SIGKILL', 'while it is loaded', WHILE_LOADING],
] as const)('%s ends a run whose agent blocks %s, and the agent too', async (signal, _where, files) => {
  const project = createProject(files);
  const { child, ended } = start(project);
  await expect.poll(() => pidOf(project)).toBeDefined();
  // Twice always ends it.
  child.kill(signal);
  if (signal !== 'SIGKILL') child.kill(signal);
  await ended;
  await expect.poll(() => isAlive(pidOf(project)!), { timeout: 10_000 }).toBe(false);
  project.remove();
});
