import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli as runAny } from '../project.ts';
import { WatchedProject } from './watched-project.ts';

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const project of open.splice(0)) await project.stop();
});

/** Agents run in processes of their own, where what they use is seen. */
const runCli: typeof runAny = (args, options) =>
  runAny(args, { ...options, env: { ASSAY_ISOLATE: 'true', ...options.env } });

function commit(folder: string): void {
  execFileSync('git', ['init', '-q'], { cwd: folder });
}

function watched(files: Readonly<Record<string, string>>): WatchedProject {
  const project = new WatchedProject(files);
  open.push(project);
  return project;
}

const SUITE = '- {id: one, input: hi, assert: {output.includes: kind}}\n';

/** Answers with its prompts, and writes where \`writes\` says. */
function agent(writes = ''): string {
  return `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { put } from './put.mjs';
const system = readFileSync(join(import.meta.dirname, 'prompts', 'system.md'), 'utf8');
export async function agent(input) {
  appendFileSync(process.env.CALLS, input + '\\n');
  ${writes}
  return { output: system + readFileSync('prompts/more.md', 'utf8'), tools_used: [] };
}`;
}

const PUT = `
import * as fs from 'node:fs';
import { dirname } from 'node:path';
export function put(path, text) {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
}`;

const PROMPTS = {
  'put.mjs': PUT,
  'prompts/system.md': 'be kind',
  'prompts/more.md': '',
  'a.test.yaml': SUITE,
};

test('a prompt that the agent reads is part of the agent', async () => {
  const project = watched({ ...PROMPTS, 'agent.mjs': agent() });
  mkdirSync(join(project.path, 'notes'));
  expect(await project.run()).toContain('1 passed');
  // Loaded once with the code, and read with each call.
  project.write('prompts/system.md', 'be rude');
  expect(await project.run()).toMatch(/prompts\/system\.md changed · 1 test[^]*1 failed/);
  project.write('prompts/more.md', ' and kind');
  expect(await project.run()).toMatch(/prompts\/more\.md changed · 1 test[^]*1 passed/);
  // One edit after the other, as fast as a script can: each one counts.
  for (const word of ['kind', 'cold', 'kind', 'cold']) {
    project.write('prompts/more.md', word);
    expect(await project.run()).toContain(word === 'kind' ? '1 passed' : '1 failed');
  }
  rmSync(join(project.path, 'prompts/more.md'));
  expect(await project.run()).toContain('1 errored');
  expect(project.called().length).toBe(8);
  // Nobody waits for a run that does not come.
  project.write('notes/todo.md', 'later');
  await project.showsIdle('notes/todo.md');
});

const WRITERS: readonly (readonly [what: string, code: string, own: string, isUsed: boolean])[] = [
  [
    'files with new names',
    "put(join('sessions', Math.random() + '.json'), '{}');",
    'sessions/mine.json',
    false,
  ],
  [
    'a state that it reads',
    "put('log.txt', (existsSync('log.txt') ? readFileSync('log.txt') : '') + '.');",
    'log.txt',
    true,
  ],
  [
    'a log at the end',
    "process.on('exit', () => writeFileSync('log.txt', '' + Math.random()));",
    'log.txt',
    false,
  ],
  ['a log', "appendFileSync('log.txt', input + Math.random());", 'log.txt', false],
  [
    'code that it loads',
    "writeFileSync('own.mjs', '// ' + Math.random()); await import('./own.mjs');",
    'own.mjs',
    true,
  ],
];

test.each(WRITERS.slice(0, effort({ short: 2, long: 5 })))(
  'an agent that writes %s does not run for ever',
  async (_what, writes, own, isUsed) => {
    const project = watched({
      ...PROMPTS,
      'log.txt': '',
      'own.mjs': '',
      'sessions/old.json': '',
      'agent.mjs': agent(writes),
    });
    await project.run();
    await project.settles();
    expect(project.called().length).toBe(1);
    // Edits still count, and are run once.
    project.write('prompts/system.md', 'be rude');
    await project.shows('1 failed');
    await project.settles();
    expect(project.called().length).toBe(2);
    // So does an edit of the agent's own file, if it reads it.
    project.write(own, '// mine');
    if (isUsed) await project.shows('changed · 1 test');
    await project.settles();
    expect(project.called().length).toBe(isUsed ? 3 : 2);
  },
);

test('an edit that follows another one at once is noticed, also if no test depends on either', async () => {
  const project = watched({ ...PROMPTS, 'agent.mjs': agent() });
  await project.run();
  for (const name of ['a.md', 'b.md', 'a.md', 'b.md', 'a.md', 'b.md']) {
    project.write(name, `${Math.random()}`);
    await project.showsIdle(name);
  }
});

test('an agent of which nobody knows what it reads is called once more for what it writes, and then no more', async () => {
  const project = watched({
    'a.test.yaml': SUITE,
    'agent.mjs': `import { appendFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
export function agent(input) {
  appendFileSync(process.env.CALLS, input + '\\n');
  appendFileSync('log.txt', input + Math.random());
  execFileSync('true');
  return { output: 'kind', tools_used: [] };
}`,
  });
  await project.run();
  await project.shows('log.txt changed while tests ran, again. Assay treats this as output of the agent');
  expect(project.called().length).toBe(2);
  for (const [index, name] of ['notes.md', 'more.md'].entries()) {
    // The time of a file is that of the kernel's last tick: what is saved at once seems to be saved during the run.
    await sleep(50);
    project.write(name, 'a');
    await project.shows('changed · 1 test');
    await project.run();
    expect(project.called().length).toBe(3 + index);
  }
});

test.each([
  { when: 'at once', waitMs: 0 },
  { when: 'at the end of a run, which is noticed during the next one', waitMs: 500 },
])(
  'two agents that read what the other one writes $when do not call each other for ever',
  async ({ waitMs }) => {
    const other = (
      reads: string,
      writes: string,
    ): string => `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
export async function agent(input) {
  appendFileSync(process.env.CALLS, input + '\\n');
  await new Promise((resolve) => setTimeout(resolve, ${waitMs}));
  readFileSync('${reads}');
  writeFileSync('${writes}', '' + Math.random());
  return { output: 'kind', tools_used: [] };
}`;
    const project = new WatchedProject(
      {
        'a.test.yaml': '- {id: one, targets: [a, b], input: hi, assert: {output.includes: kind}}\n',
        'assay.config.yaml': 'targets:\n  - {name: a, agent: ./a.mjs}\n  - {name: b, agent: ./b.mjs}\n',
        'a.mjs': other('b.txt', 'a.txt'),
        'b.mjs': other('a.txt', 'b.txt'),
        'a.txt': '',
        'b.txt': '',
      },
      { agent: [] },
    );
    open.push(project);
    await project.run();
    const calls = project.called().length;
    project.write('a.mjs', `${other('b.txt', 'a.txt')}\n`);
    if (waitMs > 0) {
      await expect.poll(() => project.called().length).toBeGreaterThan(calls);
      // Starts the next run when this one ends, before anybody knows what it has changed.
      project.write('unused.md', '');
    }
    await project.shows(
      'Each of the last 5 runs changed files of the next one. Assay waits for your next edit.',
    );
    expect(project.called().length).toBeGreaterThan(5);
    // Not for ever: at most two calls in each run, also if a run starts before the edit.
    expect(project.called().length).toBeLessThan(20);
  },
  120_000,
);

test('run --changed sees a module that only the tests of a second file load', async () => {
  const { path, remove } = createProject({
    'a.test.yaml': '- {id: one, input: one, assert: {output.equals: kind}}\n',
    'b.test.yaml': '- {id: two, input: two, assert: {output.equals: kind}}\n',
    'parts/one.mjs': `export const say = 'kind';`,
    'parts/two.mjs': `export const say = 'kind';`,
    'agent.mjs': `export const agent = async (input) => (await import('./parts/' + input + '.mjs')).say;`,
  });
  const run = async (): Promise<string> => {
    const { stdout } = await runCli(['run', '--changed', '--agent', './agent.mjs', '--workers', '1'], {
      cwd: path,
    });
    return /^Tests +(.+)$/m.exec(stdout)![1]!;
  };
  try {
    expect([await run(), await run()]).toEqual(['2 passed (2)', '2 passed (2)']);
    writeFileSync(join(path, 'parts/two.mjs'), `export const say = 'rude';`);
    expect(await run()).toBe('1 failed, 1 passed (2)');
  } finally {
    remove();
  }
});

test('run --changed sees what an agent reads too', async () => {
  const { path, remove } = createProject({
    'a.test.yaml': SUITE,
    'prompts/system.md': 'be kind',
    'agent.py': `import os
PROMPT = os.path.join(os.path.dirname(__file__), "prompts", "system.md")
def agent(input):
    with open("log.txt", "a") as log:
        log.write(input)
    return open(PROMPT).read()
`,
    'log.txt': '',
  });
  const run = async (): Promise<string> => {
    const { stdout } = await runCli(['run', '--changed', '--agent', './agent.py'], { cwd: path });
    return `${/\d+ (?:passed|failed)/.exec(stdout)![0]}, ${readFileSync(join(path, 'log.txt'), 'utf8').length / 2} calls`;
  };
  try {
    expect(await run()).toBe('1 passed, 1 calls');
    expect(await run()).toBe('1 passed, 1 calls');
    writeFileSync(join(path, 'prompts/system.md'), 'be rude');
    expect(await run()).toBe('1 failed, 2 calls');
    expect(await run()).toBe('1 failed, 2 calls');
    // Without what was kept about the files, nothing is known about them.
    const runs = join(path, '.assay', 'runs');
    for (const each of readdirSync(runs)) rmSync(join(runs, each, 'inputs.json'), { force: true });
    expect(await run()).toBe('1 failed, 3 calls');
  } finally {
    remove();
  }
});

test('what a script reads elsewhere grades the recorded replies again, also in a repository', async () => {
  const other = createProject({ 'words.txt': 'kind' });
  const { path, remove } = createProject({
    'a.eval.yaml': `evalcases:
  - id: one
    input: hi
    evaluators: [{type: code_judge, script: [node, checks/polite.mjs]}]
`,
    '.gitignore': 'ignored.txt\n',
    'assay.config.yaml': 'agent: ./agent.mjs\nscripts: {env: [TEST_OTHER, TEST_WORD]}\n',
    'checks/polite.mjs': `import { readFileSync } from 'node:fs';
const files = [process.env.TEST_OTHER + '/words.txt', 'ignored.txt'];
const said = [...files.map((file) => readFileSync(file, 'utf8')), process.env.TEST_WORD];
console.log(JSON.stringify({ score: said.every((word) => word === 'kind') ? 1 : 0 }));
`,
    'ignored.txt': 'kind',
    'agent.mjs': `import { appendFileSync } from 'node:fs';
export const agent = () => { appendFileSync('calls.txt', '.'); return { output: 'thanks', tools_used: [] }; };`,
  });
  commit(path);
  const run = async (word = 'kind'): Promise<string> => {
    const env = { TEST_OTHER: other.path, TEST_WORD: word };
    const { stdout } = await runCli(['run', '--changed', '--allow-scripts'], { cwd: path, env });
    expect(readFileSync(join(path, 'calls.txt'), 'utf8')).toBe('.');
    return /\d+ (?:passed|failed)/.exec(stdout)?.[0] ?? stdout;
  };
  try {
    expect(await run()).toBe('1 passed');
    expect(await run('rude')).toBe('1 failed');
    for (const file of [join(other.path, 'words.txt'), join(path, 'ignored.txt')]) {
      writeFileSync(file, 'rude');
      expect(await run(), file).toBe('1 failed');
      writeFileSync(file, 'kind');
      expect(await run(), file).toBe('1 passed');
    }
  } finally {
    remove();
    other.remove();
  }
});

test.each([
  ['model', (kind: string) => ({ TEST_JUDGE: `${kind}-judge` })],
  // Nobody names this variable: the SDK of the provider reads it.
  ['address', (kind: string, url: string) => ({ OPENAI_BASE_URL: `${url}/${kind}-judge` })],
])('another %s of a judge, by a variable, grades the recorded replies again', async (which, variablesFor) => {
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      const score = `${request.url} ${body}`.includes('kind-judge') ? 1 : 0;
      const content = JSON.stringify({ reasoning: 'So.', score, evidence: [], hits: [], misses: [] });
      answer.setHeader('content-type', 'application/json');
      answer.end(
        JSON.stringify({
          choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        }),
      );
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const judge =
    which === 'model'
      ? `{provider: openai-compatible, model: '\${{ TEST_JUDGE }}', api_key: none, base_url: '${url}/v1'}`
      : '{provider: openai, model: any, api: chat, api_key: none}';
  const { path, remove } = createProject({
    'a.eval.yaml': `evalcases:
  - {id: one, input: hi, expected_outcome: It is kind., evaluators: [{type: llm_judge}]}
`,
    'assay.config.yaml': `agent: ./agent.mjs
judge: ${judge}
`,
    'agent.mjs': `import { appendFileSync } from 'node:fs';
export const agent = () => { appendFileSync('calls.txt', '.'); return { output: 'thanks', tools_used: [] }; };`,
  });
  const run = async (kind: string): Promise<string> => {
    const { stdout, stderr } = await runCli(['run', '--changed'], {
      cwd: path,
      env: variablesFor(kind, url),
    });
    expect(readFileSync(join(path, 'calls.txt'), 'utf8')).toBe('.');
    return /\d+ (?:passed|failed)/.exec(stdout)?.[0] ?? stdout + stderr;
  };
  try {
    expect(await run('kind')).toBe('1 passed');
    expect(await run('rude')).toBe('1 failed');
  } finally {
    remove();
    server.close();
  }
});

test('what evaluators and scripts read or load grades the recorded replies again', async () => {
  const { path, remove } = createProject({
    'a.eval.yaml': `evalcases:
  - id: one
    input: hi
    evaluators:
      - {name: polite, type: polite}
      - {name: short, type: code_judge, script: [node, checks/short.mjs]}
`,
    'assay.config.yaml': 'evaluators: [./checks/polite.mjs]\n',
    'checks/polite.mjs': `import { readFileSync } from 'node:fs';
export const polite = { name: 'polite', evaluate: (_config, { output }) =>
  readFileSync('words/polite.txt', 'utf8').split(',').includes(output) };
`,
    'checks/short.mjs': `import { readFileSync } from 'node:fs';
import { longest } from './longest.mjs';
const { candidate_answer } = JSON.parse(readFileSync(0, 'utf8'));
const more = Number(readFileSync(new URL('more.txt', import.meta.url), 'utf8'));
console.log(JSON.stringify({ score: candidate_answer.length <= longest + more ? 1 : 0 }));
`,
    'checks/longest.mjs': 'export const longest = 4;',
    'checks/more.txt': '0',
    'words/polite.txt': 'please,thanks',
    'agent.mjs': `import { appendFileSync } from 'node:fs';
export const agent = () => { appendFileSync('calls.txt', '.'); return { output: 'thanks', tools_used: [] }; };`,
  });
  const run = async (): Promise<string> => {
    const { stdout, stderr } = await runCli(
      ['run', '--changed', '--allow-scripts', '--agent', './agent.mjs'],
      { cwd: path },
    );
    expect(stderr).toBe('');
    expect(readFileSync(join(path, 'calls.txt'), 'utf8')).toBe('.');
    return /\d+ (?:passed|failed)/.exec(stdout)?.[0] ?? stdout;
  };
  try {
    expect(await run()).toBe('1 failed');
    expect(await run()).toBe('1 failed');
    await edit(join(path, 'checks/longest.mjs'), 'export const longest = 9;');
    expect(await run()).toBe('1 passed');
    await edit(join(path, 'checks/more.txt'), '-9');
    expect(await run()).toBe('1 failed');
    await edit(join(path, 'checks/more.txt'), '9');
    expect(await run()).toBe('1 passed');
    await edit(join(path, 'words/polite.txt'), 'please');
    expect(await run()).toBe('1 failed');
  } finally {
    remove();
  }
});

test('what evaluators are told about a test grades the recorded replies again', async () => {
  const suite = (owner: string): string => `evalcases:
  - {id: own, input: hi, metadata: {owner: ${owner}}, evaluators: [{type: owned}]}
  - {id: tagged, input: hi, tags: [${owner}], evaluators: [{type: composite, evaluators: [{type: owned}]}]}
  - {id: script, input: hi, metadata: {owner: ${owner}}, evaluators: [{type: code-grader, command: [node, checks/owned-grader.mjs]}]}
  - {id: inline, input: hi, metadata: {owner: ${owner}}, evaluators: [{type: code-grader, command: [node, -e, ${INLINE_GRADER}]}]}
  - {id: plain, input: hi, metadata: {owner: ${owner}}, evaluators: [{type: contains, value: thanks}]}
`;
  const { path, remove } = createProject({
    'a.eval.yaml': suite('ada'),
    'assay.config.yaml': 'evaluators: [./checks/owned.mjs]\n',
    'checks/owned.mjs': `export const owned = { name: 'owned', evaluate: (_config, { test }) =>
  test.metadata.owner === 'ada' || test.tags.includes('ada') };
`,
    'checks/owned-grader.mjs': `import { readFileSync } from 'node:fs';
const { metadata } = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify({ score: metadata.owner === 'ada' ? 1 : 0 }));
`,
    'agent.mjs': `import { appendFileSync } from 'node:fs';
export const agent = () => { appendFileSync('calls.txt', '.'); return { output: 'thanks', tools_used: [] }; };`,
  });
  const run = async (): Promise<object> => {
    const { stdout } = await runCli(
      ['run', '--changed', '--allow-scripts', '--agent', './agent.mjs', '--reporter', 'json'],
      { cwd: path },
    );
    expect(readFileSync(join(path, 'calls.txt'), 'utf8')).toBe('.....');
    const { results } = JSON.parse(stdout) as { results: readonly AttemptRecord[] };
    return Object.fromEntries(
      results.map((result) => [
        result.test,
        `${result.verdict}, of ${String(result.metadata?.['owner'] ?? result.tags[0])}`,
      ]),
    );
  };
  try {
    const all = (text: string) => ({ own: text, tagged: text, script: text, inline: text });
    expect(await run()).toEqual({ ...all('passed, of ada'), plain: 'passed, of ada' });
    writeFileSync(join(path, 'a.eval.yaml'), suite('bob'));
    expect(await run()).toEqual({ ...all('failed, of bob'), plain: 'passed, of bob' });
  } finally {
    remove();
  }
});

/** No file of the project is part of it. */
const INLINE_GRADER = JSON.stringify(
  `const { metadata } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify({ score: metadata.owner === 'ada' ? 1 : 0 }));`,
);

test('an agent that runs elsewhere says what it depends on, and a path that does not exist is an error', async () => {
  const { path, remove } = createProject({
    'a.test.yaml': '- {id: one, input: hi, assert: {output.includes: kind}}\n',
    'assay.config.yaml': `targets:
  - {name: default, command: [sh, -c, 'echo . >> "$COUNT"; cat > /dev/null; echo kind'], depends_on: [server, 'shared/*.md', '!server/logs/**']}
`,
    'server/lib/app.py': 'a = 1',
    'server/logs/a.txt': 'a',
    'shared/a.md': 'a',
    'shared/a.txt': 'a',
  });
  let calls = 0;
  const run = async (): Promise<string> => {
    const count = `${path}-calls`;
    const env = { COUNT: count };
    const { stdout, stderr } = await runCli(['run', '--changed'], { cwd: path, env });
    const all = readFileSync(count, 'utf8').length / 2;
    const made = all - calls;
    calls = all;
    return `${stderr}${/\d+ (?:passed|failed)/.exec(stdout)?.[0]}, ${made} calls`;
  };
  try {
    expect(await run()).toBe('1 passed, 1 calls');
    expect(await run()).toBe('1 passed, 0 calls');
    writeFileSync(join(path, 'server/lib/app.py'), 'a = 2');
    expect(await run()).toBe('1 passed, 1 calls');
    writeFileSync(join(path, 'server/lib/new.py'), '');
    expect(await run()).toBe('1 passed, 1 calls');
    writeFileSync(join(path, 'shared/b.md'), '');
    expect(await run()).toBe('1 passed, 1 calls');
    for (const name of ['server/logs/a.txt', 'server/logs/b.txt', 'shared/a.txt', 'other.md'])
      writeFileSync(join(path, name), 'b');
    expect(await run()).toBe('1 passed, 0 calls');
    rmSync(join(path, 'server'), { recursive: true });
    expect(await run()).toContain('`depends_on` of the target "default" names server, which does not exist');
    const { stdout } = await runCli(['validate'], { cwd: path });
    expect(stdout).toContain('the target "default" depends on server, which does not exist');
  } finally {
    rmSync(`${path}-calls`, { force: true });
    remove();
  }
});

const COUNTING = `require('node:fs').appendFileSync(process.env.COUNT, '.');
process.stdin.resume().on('end', () => console.log(require('./say.cjs')));`;
const SAY = {
  'agent.cjs': COUNTING,
  'say.cjs': `module.exports = 'kind';`,
  'node_modules/@a/b/index.js': '1',
};

test.each<[what: string, changed: string, target: string]>([
  ['a file that git knows', 'say.cjs', ''],
  ['a new file', 'new.txt', ''],
  ['a variable', 'MODE', `, "\${{ MODE }}"`],
  ['.env', '.env', ''],
  ['package.json', 'package.json', ''],
  ['a lock file', 'package-lock.json', ''],
  ['an installed package', 'node_modules/@a/b/index.js', ''],
])('run --changed calls a program again after a change of %s', async (_what, changed, target) => {
  const { path, remove } = createProject({
    'a.test.yaml': SUITE,
    'assay.config.yaml': `targets: [{name: default, command: [node, agent.cjs${target}]}]\n`,
    '.gitignore': 'node_modules\n.env\nout\n',
    ...SAY,
  });
  commit(path);
  const count = `${path}-calls`;
  const calls = async (mode: string): Promise<number> => {
    const { stdout, stderr } = await runCli(['run', '--changed'], {
      cwd: path,
      env: { MODE: mode, COUNT: count },
    });
    expect(stdout, stderr).toContain('1 passed');
    expect(stderr).not.toContain('depends_on');
    return readFileSync(count).length;
  };
  try {
    expect([await calls('a'), await calls('a')]).toEqual([1, 1]);
    mkdirSync(join(path, 'out'));
    writeFileSync(join(path, 'out', 'ignored.txt'), '');
    writeFileSync(join(path, 'a.test.yaml'), `# a comment\n${SUITE}`);
    expect(await calls('a')).toBe(1);
    if (changed === 'say.cjs') writeFileSync(join(path, changed), `module.exports = 'so kind';`);
    else if (changed !== 'MODE') writeFileSync(join(path, changed), '{"version": "2"}');
    expect(await calls('b')).toBe(2);
  } finally {
    rmSync(count, { force: true });
    remove();
  }
});

test.each<[what: string, target: string, reason: string]>([
  ['a program in a folder without git', 'command: [node, agent.cjs]', 'git has no list of the files in'],
  ['a program that git ignores', 'command: [node, out/agent.cjs]', 'git does not know '],
  [
    'a function in the process of Assay',
    'agent: ./agent.mjs, isolate: false',
    'it runs in the process of Assay',
  ],
])('run --changed: %s is called, and one line says what to do', async (_what, target, reason) => {
  const { path, remove } = createProject({
    'a.test.yaml': SUITE,
    'assay.config.yaml': `targets: [{name: default, ${target}}]\n`,
    'agent.mjs': `import { appendFileSync } from 'node:fs';
export const agent = () => { appendFileSync(process.env.COUNT, '.'); return { output: 'kind', tools_used: [] }; };`,
    ...SAY,
    '.gitignore': 'out\n',
    'out/agent.cjs': SAY['agent.cjs'],
    'out/say.cjs': SAY['say.cjs'],
  });
  if (target.includes('out/')) commit(path);
  const count = `${path}-calls`;
  const run = () => runCli(['run', '--changed'], { cwd: path, env: { COUNT: count } });
  try {
    expect((await run()).stderr).not.toContain('depends_on');
    const { stderr } = await run();
    expect(stderr).toContain(`Assay does not know which files default uses (${reason}`);
    expect(stderr.match(/`depends_on`/g)).toHaveLength(1);
    expect(readFileSync(count).length).toBe(2);
  } finally {
    rmSync(count, { force: true });
    remove();
  }
});

test('run --changed: what a command names elsewhere in the repository is part of the program', async () => {
  const { path, remove } = createProject({
    'evals/a.test.yaml': SUITE,
    'evals/assay.config.yaml': 'targets: [{name: default, command: [node, ../app/agent.cjs]}]\n',
    'app/agent.cjs': SAY['agent.cjs'],
    'app/say.cjs': SAY['say.cjs'],
  });
  commit(path);
  const count = `${path}-calls`;
  const calls = async (): Promise<number> => {
    await runCli(['run', '--changed'], { cwd: join(path, 'evals'), env: { COUNT: count } });
    return readFileSync(count).length;
  };
  try {
    expect([await calls(), await calls()]).toEqual([1, 1]);
    writeFileSync(join(path, 'app/say.cjs'), `module.exports = 'so kind';`);
    expect(await calls()).toBe(2);
  } finally {
    rmSync(count, { force: true });
    remove();
  }
});

test('run --changed: an address may run anything, so it is called', async () => {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls++;
    response.setHeader('content-type', 'application/json').end('{"output": "kind"}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const { path, remove } = createProject({
    'a.test.yaml': SUITE,
    'assay.config.yaml': `targets: [{name: default, url: "http://127.0.0.1:${port}/"}]\n`,
  });
  try {
    await runCli(['run', '--changed'], { cwd: path });
    await runCli(['run', '--changed'], { cwd: path });
    expect(calls).toBe(2);
  } finally {
    server.close();
    remove();
  }
});

test('run --changed: a file that somebody edits during two runs in a row is not output', async () => {
  const edits = ['kind, once more', 'rude'];
  const server = createServer((_request, response) => {
    const text = edits.shift();
    if (text !== undefined) writeFileSync(join(path, 'a.md'), text);
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const { path, remove } = createProject({
    'a.test.yaml': SUITE,
    'assay.config.yaml': 'targets: [{name: default, agent: ./agent.mjs}]\n',
    'agent.mjs': `import { readFileSync } from 'node:fs';
export async function agent() {
  const text = readFileSync(import.meta.dirname + '/a.md', 'utf8');
  await fetch('http://127.0.0.1:${port}/');
  return text;
}`,
    'a.md': 'kind',
  });
  const run = async (): Promise<string> => (await runCli(['run', '--changed'], { cwd: path })).stdout;
  try {
    expect(await run()).toContain('1 passed');
    expect(await run()).toContain('1 passed');
    expect(edits).toEqual([]);
    expect(await run()).toContain('1 failed');
  } finally {
    server.close();
    remove();
  }
});

test('a log and a state that a command names do not run it again and again', async () => {
  const { path, remove } = createProject({
    'a.test.yaml': SUITE,
    'assay.config.yaml': `targets:
  - {name: default, command: [python3, agent.py, calls.log, state]}
`,
    'agent.py': `import os, sys
log, state = sys.argv[1:]
open(log, 'a').write('.')
open(state, 'w').write(str(os.path.getsize(log)))
print('kind')
`,
  });
  commit(path);
  const calls = async (): Promise<number> => {
    await runCli(['run', '--changed'], { cwd: path });
    return readFileSync(join(path, 'calls.log')).length;
  };
  try {
    expect(await calls()).toBe(1);
    // Somebody may have edited them during the first run.
    await calls();
    expect([await calls(), await calls()]).toEqual([2, 2]);
    writeFileSync(join(path, 'state'), 'mine');
    expect(await calls()).toBe(3);
  } finally {
    remove();
  }
});

test('an option that decides about the verdict counts, and so does a module of a script', async () => {
  const { path, remove } = createProject({
    'a.eval.yaml': `evalcases:
  - id: one
    input: hi
    evaluators: [{name: kind, type: code_judge, script: [python3, -m, checks.kind]}]
`,
    'assay.config.yaml': 'prices: {my-model: {input: 1, output: 1}}\n',
    'checks/kind.py': `import json, sys
from checks.words import SCORE
json.load(sys.stdin)
print(json.dumps({"score": SCORE}))
`,
    'checks/words.py': 'SCORE = 1\n',
    'agent.mjs': `import { appendFileSync } from 'node:fs';
export const agent = async () => {
  appendFileSync('calls.txt', '.');
  await new Promise((resolve) => setTimeout(resolve, 1200));
  return { output: 'kind', tools_used: [] };
};`,
  });
  const run = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await runCli(['run', '--changed', '--agent', './agent.mjs', ...words], { cwd: path });
    const calls = existsSync(join(path, 'calls.txt')) ? readFileSync(join(path, 'calls.txt')).length : 0;
    return `${/\d+ (?:passed|failed|errored)/.exec(stdout)?.[0]}, ${calls} calls`;
  };
  try {
    expect(await run()).toBe('1 errored, 0 calls');
    expect(await run('--allow-scripts')).toBe('1 passed, 1 calls');
    expect(await run('--allow-scripts')).toBe('1 passed, 1 calls');
    expect(await run('--allow-scripts', '--timeout', '0.5')).toBe('1 errored, 2 calls');
    expect(await run('--allow-scripts')).toBe('1 passed, 3 calls');
    writeFileSync(join(path, 'checks/words.py'), 'SCORE = 0\n');
    expect(await run('--allow-scripts')).toBe('1 failed, 3 calls');
    // What a reply cost is known when it comes.
    writeFileSync(join(path, 'assay.config.yaml'), 'prices: {my-model: {input: 2, output: 1}}\n');
    expect(await run('--allow-scripts')).toBe('1 failed, 4 calls');
    writeFileSync(join(path, 'checks/words.py'), 'SCORE = 1\n');
    expect(await run('--allow-scripts')).toBe('1 passed, 4 calls');
    // What a script sees may be what it judges by.
    writeFileSync(join(path, 'assay.config.yaml'), 'scripts: {env: [LIMIT]}\n');
    expect(await run('--allow-scripts')).toBe('1 passed, 5 calls');
    expect(await run()).toBe('1 errored, 5 calls');
  } finally {
    remove();
  }
});

test('a coding agent depends on its instructions and its folder', async () => {
  const { path, remove } = createProject({
    'a.test.yaml': '- {id: one, input: hi, assert: {output.includes: ok}}\n',
    'assay.config.yaml':
      'targets: [{name: default, provider: claude-code, command: [sh, ./fake.sh], cwd: work}]\n',
    'work/fake.sh': `cat > /dev/null; printf . >> ../calls.txt
echo '{"type":"result","subtype":"success","result":"ok","session_id":"s","is_error":false}'
`,
    'CLAUDE.md': 'a',
    'work/.claude/skills/one/SKILL.md': 'a',
    'work/.mcp.json': '{}',
    'work/code.ts': 'a',
  });
  commit(path);
  const calls = async (): Promise<number> => {
    await runCli(['run', '--changed'], { cwd: path });
    return readFileSync(join(path, 'calls.txt')).length;
  };
  try {
    expect([await calls(), await calls()]).toEqual([1, 1]);
    for (const [index, name] of [
      'CLAUDE.md',
      'work/.claude/skills/one/SKILL.md',
      'work/.mcp.json',
      'work/code.ts',
    ]
      .slice(0, effort({ short: 2, long: 4 }))
      .entries()) {
      writeFileSync(join(path, name), '{"b": 1}');
      expect(await calls(), name).toBe(index + 2);
    }
  } finally {
    remove();
  }
});

/** The time of a file is a few milliseconds behind the clock: an edit right after a run would look like one during it. */
async function edit(file: string, text: string): Promise<void> {
  const now = Date.now();
  const probe = `${file}.probe`;
  await expect
    .poll(() => {
      writeFileSync(probe, '');
      return statSync(probe).mtimeMs;
    })
    .toBeGreaterThan(now);
  rmSync(probe);
  writeFileSync(file, text);
}
