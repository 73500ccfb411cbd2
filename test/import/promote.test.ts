import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constantFrom, nat, record as anyRecord, sample, stringMatching } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type CliResult, type Project } from '../project.ts';
import { effort } from '../effort.ts';

interface Call {
  readonly name: string;
  readonly args: object;
}

interface Turn {
  readonly asked: string;
  readonly calls: readonly Call[];
  readonly answer: string;
}

const TURNS: readonly Turn[] = [
  {
    asked: 'A flight to Berlin?',
    calls: [
      { name: 'search', args: { to: 'Berlin', limits: { $gte: 5, seats: [1, 2] } } },
      { name: 'price', args: {} },
    ],
    answer: 'There is one for 74 GBP.\nShall I book it?',
  },
  { asked: 'Thanks, no.', calls: [], answer: 'As you like: "nothing" is booked.' },
  { asked: 'Bye', calls: [{ name: 'hang_up', args: { wait: false } }], answer: '' },
];

function chatOf(turns: readonly Turn[], id: string): string {
  const messages = turns.flatMap(({ asked, calls, answer }, turn) => [
    { role: 'user', content: asked },
    ...(calls.length === 0
      ? []
      : [
          {
            role: 'assistant',
            content: null,
            tool_calls: calls.map(({ name, args }, index) => ({
              id: `c${turn}-${index}`,
              type: 'function',
              function: { name, arguments: JSON.stringify(args) },
            })),
          },
          ...calls.map((_, index) => ({ role: 'tool', tool_call_id: `c${turn}-${index}`, content: 'done' })),
        ]),
    ...(answer === '' ? [] : [{ role: 'assistant', content: answer }]),
  ]);
  return `${JSON.stringify({ id, messages })}\n`;
}

let project: Project;
const run = (...args: readonly string[]): Promise<CliResult> => runCli(args, { cwd: project.path });
beforeAll(() => void (project = createProject({ 'chat.jsonl': chatOf(TURNS, 'flight') })));
afterAll(() => project.remove());

async function grade(
  name: string,
  suite: string,
): Promise<{ readonly results: readonly AttemptRecord[]; readonly exit_code: number }> {
  const imported = await run('import', name, '--reporter', 'json');
  const { run_id: id } = JSON.parse(imported.stdout) as { readonly run_id: string };
  const { stdout } = await run('grade', id, '--suite', suite, '--match', 'id', '--reporter', 'json');
  return JSON.parse(stdout) as { readonly results: readonly AttemptRecord[]; readonly exit_code: number };
}

test('a promoted test passes on its own recording, and `assay check` finds nothing to complain about', async () => {
  expect((await run('import', 'chat.jsonl')).exitCode).toBe(0);
  const { stdout, exitCode } = await run('promote', 'latest', 'flight', '--folder', 'tests');
  expect(exitCode, stdout).toBe(0);
  const file = /^wrote (\S+)/.exec(stdout)![1]!;
  const text = readFileSync(join(project.path, file), 'utf8');
  expect(text).toMatch(/^# Promoted from the run .*: flight \(chat\) at chat\.jsonl:1, recorded by chat/);
  expect(parse(text)).toMatchObject({ id: 'flight', steps: TURNS.map(({ asked }) => ({ input: asked })) });
  const { results, exit_code } = await grade('chat.jsonl', file);
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed']);
  expect(exit_code).toBe(0);
  const check = await run('check', file);
  expect(check.exitCode, check.stdout + check.stderr).toBe(0);
  // It is not written twice, and a person's changes stay.
  writeFileSync(join(project.path, file), `${text}# mine\n`);
  const again = await run('promote', 'latest', 'flight', '--folder', 'tests');
  expect(again.stdout).not.toContain('wrote');
});

/** One thing that is different: a call, an argument, an answer. */
const change = anyRecord({
  turn: nat({ max: TURNS.length - 1 }),
  kind: constantFrom('answer', 'extra', 'drop', 'name', 'args'),
  word: stringMatching(/^[a-z]{1,8}$/),
}).map(({ turn, kind, word }) => ({
  turn,
  what: `${kind} ${word}`,
  turns: TURNS.map((each, index) => (index === turn ? changed(each, kind, word) : each)),
}));

function changed(turn: Turn, kind: string, word: string): Turn {
  const { calls, answer } = turn;
  const [first, ...rest] = calls;
  if (kind === 'extra') return { ...turn, calls: [...calls, { name: word, args: {} }] };
  if (kind === 'answer' || first === undefined) return { ...turn, answer: `${answer}${word}` };
  if (kind === 'drop') return { ...turn, calls: rest };
  if (kind === 'name') return { ...turn, calls: [{ ...first, name: `${first.name}_${word}` }, ...rest] };
  return { ...turn, calls: [{ ...first, args: { ...first.args, [`${word}_new`]: 1 } }, ...rest] };
}

test('a promoted test fails when any call, argument or answer is another one', async () => {
  await run('import', 'chat.jsonl');
  const { stdout } = await run('promote', 'latest', 'flight', '--folder', 'kept');
  const file = /^(?:wrote|already there) (\S+)/.exec(stdout)![1]!;
  const samples = sample(change, { seed: 7, numRuns: effort({ short: 12, long: 150 }) });
  const names = samples.map((_, index) => `flight#${index + 1}`);
  writeFileSync(
    join(project.path, 'changed.jsonl'),
    samples.map(({ turns }) => chatOf(turns, 'flight')).join(''),
  );
  const { results } = await grade('changed.jsonl', file);
  expect(results).toHaveLength(names.length);
  for (const { repeat, verdict } of results)
    expect([samples[repeat - 1]!.what, verdict]).toEqual([samples[repeat - 1]!.what, 'failed']);
});

test('--failed writes one test for each reason, and says why', async () => {
  const asked = (id: string, answer: string): string =>
    chatOf([{ asked: `Hi ${id}`, calls: [], answer }], id);
  writeFileSync(
    join(project.path, 'four.jsonl'),
    asked('a', 'No.') + asked('b', 'Never.') + asked('c', 'Yes, sure') + asked('d', 'Well'),
  );
  const wants = (id: string, text: string): string =>
    `- id: ${id}\n  input: Hi ${id}\n  assert: { output.includes: "${text}" }\n`;
  writeFileSync(
    join(project.path, 'four.test.yaml'),
    wants('a', 'Yes') + wants('b', 'Yes') + wants('c', 'Yes') + wants('d', 'Ill'),
  );
  const { results } = await grade('four.jsonl', 'four.test.yaml');
  expect(results.map(({ verdict }) => verdict).sort()).toEqual(['failed', 'failed', 'failed', 'passed']);
  const { stdout, exitCode } = await run('promote', 'latest', '--failed', '--folder', 'regressions');
  expect(exitCode).toBe(0);
  expect(stdout.match(/^wrote .*output\.includes/gm)).toHaveLength(2);
  const again = await run('promote', 'latest', '--failed', '--folder', 'regressions');
  expect(again.stdout.match(/^already there/gm)).toHaveLength(2);
});

test('nothing to promote is an error', async () => {
  const { exitCode, stderr } = await run('promote', 'latest', 'unheard-of');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('has no test "unheard-of"');
});

test('where more calls may have been made, those that are known are expected, and an attempt without any is no test', async () => {
  const call = (name: string): object => ({
    id: name,
    type: 'function',
    function: { name, arguments: '{}' },
  });
  const asked = (...names: readonly string[]): string =>
    `${JSON.stringify({
      id: 'open',
      messages: [
        { role: 'user', content: 'Go' },
        ...(names.length === 0 ? [] : [{ role: 'assistant', tool_calls: names.map(call) }]),
      ],
    })}\n`;
  writeFileSync(join(project.path, 'open.jsonl'), asked('look', 'move'));
  writeFileSync(join(project.path, 'other.jsonl'), asked('look', 'jump'));
  writeFileSync(join(project.path, 'silent.jsonl'), asked());
  await run('import', 'open.jsonl');
  const { stdout } = await run('promote', 'latest', '--folder', 'open');
  const file = /^wrote (\S+)/.exec(stdout)![1]!;
  expect((await grade('open.jsonl', file)).results.map(({ verdict }) => verdict)).toEqual(['passed']);
  const other = await grade('other.jsonl', file);
  expect(other.results.map(({ verdict }) => verdict)).not.toContain('passed');
  await run('import', 'silent.jsonl');
  const none = await run('promote', 'latest', '--folder', 'open');
  expect(none.exitCode).toBe(2);
  expect(none.stderr).toContain('no recorded calls and no answers');
});
