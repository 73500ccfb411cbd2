import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';
import { normalise } from './normalise.ts';

/** The agent answers after as many ms as the input says, so that tests end in another order than they start. */
const AGENT = `
export const agent = async (input) => {
  await new Promise((resolve) => setTimeout(resolve, Number(/after (\\d+)/.exec(input)?.[1] ?? 0)));
  if (input.includes('crash')) throw Object.assign(new Error('the database is locked'), { stack: '' });
  if (input.includes('long')) return { output: Array.from({ length: 90 }, (_, n) => 'line ' + (n + 1)).join('\\n') };
  return { output: 'You said ' + input, tool_calls: [{ tool: 'search', input: { q: 'Paris', limit: 3 } }] };
};`;

const steps = (id: string, input: string, assert: string): string =>
  `- id: ${id}\n  input: ${input}\n  assert: ${assert}\n`;

const withoutTimes = (text: string): string => normalise(text).replaceAll(/^Slow .*\n/gm, '');

test('reports list tests in file order, whatever ends first', async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': AGENT,
    'b.test.yaml': ['slow', 'fast'].map((id) => steps(id, id, `{output.equals: ${id}}`)).join(''),
    'a.test.yaml': [1, 2, 3, 4, 5, 6, 7, 8]
      .map((n) => steps(`t${n}`, `after ${(9 - n) * 25} ${n}`, `{output.equals: x${n}}`))
      .join(''),
  });
  const names = ['json', 'junit', 'tap', 'markdown', 'github', 'list', 'dot'];
  const args = (order: string, workers: string) =>
    ['run', '--agent', './agent.mjs', '--workers', workers, '--reporter', 'terminal'].concat(
      names.flatMap((name) => ['--reporter', `${name}=${order}-${name}.out`]),
    );
  const first = await runCli(args('first', '8'), { cwd });
  const second = await runCli(args('second', '1'), { cwd });
  const written = (order: string, name: string) =>
    withoutTimes(readFileSync(`${cwd}/${order}-${name}.out`, 'utf8'));
  for (const name of names) expect(written('second', name), name).toBe(written('first', name));
  const shown = ({ stdout }: typeof first) => withoutTimes(stdout).replaceAll(/^Report .*\n/gm, '');
  expect(shown(second)).toBe(shown(first));
  expect([...first.stdout.matchAll(/^(?:FAIL|✗) (\S+)/gm)].map(([, name]) => name)).toEqual([
    'a.test.yaml',
    'b.test.yaml',
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `t${n}`),
    'slow',
    'fast',
  ]);
  remove();
});

test('tests that fail for the same reason form one block, which hides nothing else', async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': AGENT,
    'a.test.yaml': [
      ...Array.from({ length: 60 }, (_, n) => steps(`crash-${n}`, `crash ${n}`, '{output.equals: x}')),
      steps('same-1', 'hello', '{output.equals: bye}'),
      steps('same-2', 'hello', '{output.equals: bye}'),
      steps('other-text', 'hello', '{output.equals: adieu}'),
      steps('other-answer', 'hello you', '{output.equals: bye}'),
      steps('other-claim', 'hello', '{output.includes: bye}'),
      steps('more-claims', 'hello', '{output.equals: bye, output.includes: Tschüss}'),
    ].join(''),
  });
  const { stdout } = await runCli(
    ['run', '--agent', './agent.mjs', '--reporter', 'terminal', '--reporter', 'junit=j.xml'],
    { cwd },
  );
  expect(stdout.match(/^(?:FAIL|ERROR) .*/gm)).toEqual([
    'ERROR crash-0 and 59 more tests, for the same reason',
    'FAIL same-1 and 1 more test, for the same reason',
    'FAIL other-text',
    'FAIL other-answer',
    'FAIL other-claim',
    'FAIL more-claims',
  ]);
  for (let n = 1; n <= 50; n++) expect(stdout).toContain(`\n    crash-${n} a.test.yaml:${n * 3 + 1}\n`);
  expect(stdout).toContain('\n    ... and 9 more\n');
  expect(readFileSync(`${cwd}/j.xml`, 'utf8').match(/<(?:failure|error) /g)).toHaveLength(66);
  remove();
});

test('a scored failure shows its score; a passed test does not hide a failed evaluator; outputs come once', async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': AGENT,
    'a.eval.yaml': `evalcases:
  - id: low
    input: hello
    threshold: 0.7
    evaluators:
      - {name: greets, type: contains, value: hello, weight: 1}
      - {name: offers, type: contains, value: help, weight: 2}
      - {name: polite, type: contains, value: please, weight: 0, required: true}
  - id: enough
    input: hello
    threshold: 0.5
    evaluators:
      - {name: greets, type: contains, value: hello, weight: 3}
      - {name: offers, type: contains, value: help}
  - id: wordy
    input: long
    evaluators:
      - {type: contains, value: line 44 or so}
      - {type: contains, value: nothing like this}
  - id: calls
    input: hello
    evaluators:
      - type: tool_trajectory
        mode: in_order
        expected: [{tool: search, args: {q: Paris}}, {tool: book, args: {id: 7}}]
  - {id: never, input: hello, repeats: 3, evaluators: [{type: contains, value: zzz}]}
`,
    'b.eval.yaml': `evalcases:
  - {id: alone, input: hello, repeats: 3, evaluators: [{type: contains, value: zzz}]}
`,
  });
  const { stdout } = await runCli(
    ['run', '--agent', './agent.mjs', '--reporter', 'terminal', '--reporter', 'markdown=m.md'],
    { cwd },
  );
  expect(stdout).toContain(`
  score: 0.3333, threshold 0.7
    ✓ greets  1  weight 1
    ✗ offers  0  weight 2
    ✗ polite  0  weight 0, required
`);
  expect(stdout).toContain(`
Passed, although an evaluator failed
  ✓ enough (score 0.75, threshold 0.5): offers (contains) 0 (weight 1): expected "help", got "You said hello"
`);
  const markdown = readFileSync(`${cwd}/m.md`, 'utf8');
  expect(markdown).toContain('  score: 0.3333, threshold 0.7\n    ✓ greets  1  weight 1\n');
  expect(markdown).toContain(
    '| ✅ | `enough` | `a.eval.yaml:9` | score 0.75, threshold 0.5 | `offers (contains) 0 (weight 1): expected "help", got "You said hello"` |',
  );
  const wordy = /FAIL wordy\n[^]*?(?=\nFAIL)/.exec(stdout)![0];
  expect(wordy.match(/line 1$/gm)).toHaveLength(1);
  expect(wordy).toContain('contains: expected "line 44 or so", got "line 1\\nline 2\\n');
  expect(wordy).toContain(`  output: line 1
          line 2
          line 3
          line 4
          ... 37 more lines
          line 42
          line 43
          line 44
          line 45
          line 46
          ... 42 more lines
          line 89
          line 90
`);
  expect(/FAIL calls\n[^]*?(?=\nFAIL)/.exec(stdout)![0]).toContain(`book was not called
    - expected  + actual
      search(q: "Paris", limit: 3)
    - book(id: 7)
`);
  expect(stdout).toMatch(/^✗ b\.eval\.yaml \(1 test, 3 attempts\)/m);
  remove();
});

test('--verbose shows every test and its conversation, --quiet only failures; list and dot are in between', async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': AGENT,
    'a.test.yaml': `${steps('good', 'hello', '{output.includes: hello}')}${steps('bad', 'hello', '{output.equals: x}')}- {id: later, input: x, skip: soon, assert: {output.equals: x}}\n`,
  });
  const run = async (...args: string[]) =>
    normalise((await runCli(['run', '--agent', './agent.mjs', ...args], { cwd })).stdout);
  expect((await run('-v')).split('\n\n')[0]).toBe(`✓ a.test.yaml:1 good (<time>)
  input:  hello
  output: You said hello
  tools:  search(q: "Paris", limit: 3)
✗ a.test.yaml:4 bad (<time>)
  input:  hello
  output: You said hello
  tools:  search(q: "Paris", limit: 3)
- a.test.yaml:7 later (skipped: soon)`);
  expect((await run('--reporter', 'list')).split('\n\n')[0]).toBe(
    '✓ a.test.yaml:1 good (<time>)\n✗ a.test.yaml:4 bad (<time>)\n- a.test.yaml:7 later (skipped: soon)',
  );
  expect((await run('--reporter', 'dot')).split('\n\n')[0]).toBe('.Fs');
  expect(await run('-q')).toMatch(/^\nFAIL bad\n[^✓✗]*\nTests {2}1 failed, 1 passed, 1 skipped \(3\)\nTime /);
  const refused = await runCli(['run', '-q', '-v'], { cwd });
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    'assay: --verbose and --quiet cannot be used together\n  hint: remove one of them\n',
  ]);
  remove();
});

test("a failure names its target once, its rerun command repeats the run's options, and the summary is aligned", async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': AGENT,
    'assay.config.yaml': 'targets:\n  - {name: a, agent: ./agent.mjs}\n  - {name: b, agent: ./agent.mjs}\n',
    'a.test.yaml': steps('bad', 'hello', '{output.equals: x}'),
    'b.eval.yaml': `evalcases:
  - id: judged
    input: hello
    surprise: 1
    evaluators: [{type: code_judge, script: [node, -e, 'console.log(JSON.stringify({score: 0}))']}]
`,
  });
  const { stdout } = await runCli(['run', '--target', 'a,b', '--allow-scripts', '-t', 'bad|judged'], { cwd });
  expect(stdout.match(/^FAIL .*/gm)).toEqual([
    'FAIL bad [a] and 1 more test, for the same reason',
    'FAIL judged [a] and 1 more test, for the same reason',
  ]);
  expect(stdout).toContain('  rerun: assay run b.eval.yaml:2 --target a --allow-scripts\n');
  const rows = stdout.slice(stdout.indexOf('\nTests ')).match(/^[A-Z]\w+ +/gm)!;
  expect(rows.map((row) => row.trimEnd())).toContain('Found');
  expect(new Set(rows.map((row) => row.length)).size).toBe(1);
  remove();
});

test('with --changed, the summary says why results are old, and the command to continue an interrupted run works', async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': AGENT,
    'a.test.yaml': `${steps('good', 'hello', '{output.includes: hello}')}${steps('bad', 'bye', '{output.equals: x}')}`,
  });
  const run = (...args: string[]) => runCli(['run', '--agent', './agent.mjs', ...args], { cwd });
  expect((await run('--changed')).exitCode).toBe(1);
  const again = await run('--changed');
  expect(again.stdout).toContain(
    '2 of 2 results come from the earlier run; neither their tests nor the files of their agents have changed\n',
  );
  // Nothing ran, but what failed has not passed.
  expect(again.exitCode).toBe(1);
  const texts = readFileSync(`${cwd}/a.test.yaml`, 'utf8').replaceAll('input: ', 'input: new ');
  writeFileSync(`${cwd}/a.test.yaml`, `${steps('first', 'crash', '{output.equals: x}')}${texts}`);
  const cut = await run('--changed', '--bail', '--workers', '1');
  remove();
  expect(/^Continue {2}.*/m.exec(cut.stdout)?.[0]).toBe(
    'Continue  assay run --agent ./agent.mjs --changed --bail --workers 1 (2 tests not started)',
  );
});

test('a failed step shows its cause: one frame, the calls with what came back, how memory changed, and the messages with -v', async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': `export const agent = (input, memory) => ({
  output: 'Your refund is on its way.',
  tool_calls: [
    { tool: 'lookup', input: { order: 'A-17' }, output: { status: 'shipped' } },
    { tool: 'mail', input: 'x'.repeat(500), status: 'error' },
  ],
  output_messages: [{ role: 'assistant', content: 'Let me look.' }, { role: 'assistant', content: 'Your refund is on its way.' }],
  memory: { ...memory, user: { name: 'Bob' }, orders: 1 },
});`,
    'a.test.yaml': `- id: refund
  memory: {user: {name: Ann, age: 7}, plan: pro}
  input: Where is it?
  assert:
    output.includes: 30 days
    tools_used: [lookup]
    memory.user.name: Ann
    memory.offer.price: 3
- id: still
  input: Where is it?
  assert: {memory.missing: null}
`,
    'b.eval.yaml': `evalcases:
  - id: chat
    input: [{role: system, content: Be brief.}, {role: user, content: Where is it?}]
    evaluators: [{type: equals, value: x}]
`,
  });
  const run = (...args: string[]) => runCli(['run', '--agent', './agent.mjs', ...args], { cwd });
  const { stdout, stderr } = await run();
  expect(stdout).toContain(`FAIL refund

  a.test.yaml:5:22
    3 |   input: Where is it?
    4 |   assert:
  > 5 |     output.includes: 30 days
      |                      ^^^^^^^
  > 6 |     tools_used: [lookup]
      |                 ^^^^^^^^
  > 7 |     memory.user.name: Ann
      |                       ^^^
  > 8 |     memory.offer.price: 3
      |                         ^
    9 | - id: still
  output.includes: expected "30 days", got "Your refund is on its way."
  tools_used: expected ["lookup"], got ["lookup", "mail"]
  memory.user.name: expected "Ann", got "Bob"
  memory.offer.price: expected 3, got absent

  input:  Where is it?
  output: Your refund is on its way.
  tools:  lookup(order: "A-17") → {"status": "shipped"}
          mail("${'x'.repeat(153)}… (error)
  memory: user.name: "Ann" → "Bob"
          user.age: 7 → absent
          orders: absent → 1

  rerun: assay run a.test.yaml:1 --agent ./agent.mjs
`);
  // The failure says it. That an absent value equals null is worth a warning.
  expect([...stderr.matchAll(/absent_path/g)]).toHaveLength(1);
  expect((await run('-v', 'b.eval.yaml')).stdout).toContain(`
  sent system: Be brief.
  sent user: Where is it?
  got assistant: Let me look.
`);
  remove();
});

test('a failed line of a dataset is shown at its own line, with the place of the evaluator that all lines share', async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': AGENT,
    'data.eval.jsonl': '{"id":"one","input":"hello"}\n{"id":"two","input":"bye"}\n',
    'data.eval.yaml': 'evaluators:\n  - {type: contains, value: hello}\n',
  });
  const { stdout } = await runCli(
    [
      'run',
      '.',
      '--agent',
      './agent.mjs',
      '--reporter',
      'terminal',
      '--reporter',
      'github',
      '--reporter',
      'junit=j.xml',
    ],
    { cwd, env: { GITHUB_ACTIONS: 'true' } },
  );
  expect(stdout).toContain('\n  data.eval.jsonl:2:1\n');
  expect(stdout).toContain('  contains (data.eval.yaml:2): expected "hello", got "You said bye"\n');
  expect(stdout).toContain('::error file=data.eval.jsonl,line=2,');
  const junit = readFileSync(`${cwd}/j.xml`, 'utf8');
  expect(junit).toMatch(/name="two"[^>]*file="data.eval.jsonl" line="2"[^]*data\.eval\.jsonl:2:1/);
  remove();
});

test('a rate over tests that errored says what was measured', async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': `export const agent = (input) => { if (input === 'boom') throw new Error('away'); return { output: input }; };`,
    'a.test.yaml': `- {id: good, input: hi, assert: {output.equals: hi}}
- {id: one, input: boom, assert: {output.equals: hi}}
- {id: two, input: boom, assert: {output.equals: hi}}
`,
  });
  const { stdout } = await runCli(['run', '--agent', './agent.mjs', '--min-pass-rate', '50%'], { cwd });
  expect(stdout).toMatch(/^Tests +2 errored, 1 passed \(3\)$/m);
  expect(stdout).toMatch(/^Pass rate +100% of the 1 attempt that could be measured; 2 errored \(95%/m);
  remove();
});

test('a message that is cut inside of a secret does not show its first half', async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': `export const agent = () => 'x'.repeat(90) + process.env.MY_API_KEY;`,
    'a.test.yaml': '- {id: a, input: hi, assert: {output.equals: "no"}}\n',
  });
  const env = { MY_API_KEY: 'sk-live-0123456789abcdef' };
  const { stdout } = await runCli(['run', '--agent', './agent.mjs'], { cwd, env });
  expect(stdout).toMatch(/got "x{90}\[redacted\]?/);
  expect(stdout).not.toContain('sk-live');
  remove();
});

test('a file whose test is undecided has no green tick, although every attempt passed', async () => {
  const { path: cwd, remove } = createProject({
    'agent.mjs': AGENT,
    'a.test.yaml': `pass_at_least: 1\n${steps('a', 'hi', '{output.includes: hi}').replace('- id', 'id').replaceAll('\n  ', '\n')}`,
    'b.test.yaml': `pass_at_least: 0.5\n${steps('b', 'hi', '{output.includes: hi}').replace('- id', 'id').replaceAll('\n  ', '\n')}`,
  });
  const { stdout, exitCode } = await runCli(['run', '--agent', './agent.mjs', '--repeats', 'auto'], { cwd });
  remove();
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/^\? a\.test\.yaml \(1 test, 50 attempts\)$/m);
  expect(stdout).toMatch(/^✓ b\.test\.yaml /m);
});
