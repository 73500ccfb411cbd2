import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type Project } from '../project.ts';

interface Report {
  readonly exit_code: number;
  readonly results: readonly AttemptRecord[];
  readonly findings: readonly {
    readonly code: string;
    readonly file: string;
    readonly line: number;
    readonly message: string;
  }[];
}

const chat = (id: string, answer = 'Hello'): string =>
  JSON.stringify({
    id,
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: answer },
    ],
  });
const line = (fields: object): string => `${JSON.stringify(fields)}\n`;
const SESSION = { sessionId: 's', isSidechain: false, parentUuid: null, version: '2.1.0' };
const said = (uuid: string, content: unknown, more: object = {}): string =>
  line({
    ...SESSION,
    uuid,
    type: 'user',
    timestamp: '2026-01-01T00:00:00Z',
    message: { role: 'user', content },
    ...more,
  });
const answered = (uuid: string, text: string, model = 'm'): string =>
  line({
    ...SESSION,
    uuid,
    type: 'assistant',
    timestamp: '2026-01-01T00:00:01Z',
    message: {
      id: uuid,
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  });

let project: Project;
beforeAll(() => {
  project = createProject({
    'torn.jsonl': `${chat('one')}\n${chat('two')}\n${chat('three').slice(0, 30)}`,
    'list.json': `[${chat('one')},\n${chat('two')},\n${chat('three').slice(0, 30)}`,
    'nothing.json': '{"name": "a package"}',
    'empty.jsonl': '',
    'noise.bin': Buffer.from([0, 1, 2, 0xff, 0xfe]),
    'packed.jsonl.gz': gzipSync(`${chat('one')}\n`),
    'bomb.jsonl.gz': gzipSync(Buffer.alloc(100 * 1024 * 1024, `{}${' '.repeat(1021)}\n`)),
    'twice.jsonl':
      said('u1', 'Hi') +
      answered('a1', 'One') +
      said('u1', 'Hi') +
      answered('a1', 'One') +
      said('u2', 'Again') +
      answered('a2', 'Two'),
    'command.jsonl':
      said('u0', '<command-name>/clear</command-name>') +
      said('u1', 'Hi') +
      answered('x', 'API Error', '<synthetic>') +
      answered('a1', 'One'),
    'hostile.jsonl': `${chat('\u001b[2J__proto__', '\u001b]0;x\u0007')}\n${line({ id: '__proto__', messages: [{ role: 'user', content: 'Hi' }], turns: [{ tool_calls: 'x', token_usage: [] }] })}`,
    'cycle.jsonl':
      line({
        id: 'a',
        trace_id: 't',
        run_type: 'chain',
        name: 'n',
        parent_run_id: 'b',
        inputs: { input: 'Hi' },
        outputs: { output: 'Yo' },
        start_time: '2026-01-02T00:00:00',
      }) +
      line({
        id: 'b',
        trace_id: 't',
        run_type: 'tool',
        name: 'search',
        parent_run_id: 'a',
        inputs: { q: 1 },
        outputs: { output: 'x' },
        start_time: '2026-01-01T00:00:00',
      }),
  });
});
afterAll(() => project.remove());

async function importFiles(...files: readonly string[]): Promise<Report> {
  const { stdout, stderr, exitCode } = await runCli(['import', ...files, '--reporter', 'json'], {
    cwd: project.path,
  });
  expect(stdout, stderr).not.toBe('');
  const report = JSON.parse(stdout) as Report;
  expect(report.exit_code).toBe(exitCode);
  return report;
}

test.each(['torn.jsonl', 'list.json'])(
  '%s: what is whole is imported, and what is not has its line',
  async (file) => {
    const { exit_code, results, findings } = await importFiles(file);
    expect(exit_code).toBe(0);
    expect(results.map(({ test: id }) => id)).toEqual(['one', 'two']);
    expect(findings.map((found) => [found.file, found.line, found.code])).toEqual([
      [file, 3, 'invalid_json'],
    ]);
  },
);

test.each(['nothing.json', 'empty.jsonl', 'noise.bin', 'absent.jsonl'])(
  '%s: nothing was read, which is exit code 2',
  async (file) => {
    const { exit_code, results, findings } = await importFiles(file);
    expect(exit_code).toBe(2);
    expect(results).toEqual([]);
    expect(findings.some((found) => found.file === file)).toBe(true);
  },
);

test('one bad file does not keep the others out', async () => {
  const { exit_code, results, findings } = await importFiles('nothing.json', 'packed.jsonl.gz');
  expect(exit_code).toBe(0);
  expect(results).toHaveLength(1);
  expect(findings.map(({ code }) => code)).toEqual(['unknown_recording']);
});

test('a bomb is refused', async () => {
  const { exit_code, findings } = await importFiles('bomb.jsonl.gz', '--from', 'chat');
  expect(exit_code).toBe(2);
  expect(findings.map(({ message }) => message).join('\n')).toMatch(/unpacks to far more/);
});

test('lines that come again count once, and what a program says in the name of the user is no turn', async () => {
  const { results } = await importFiles('twice.jsonl');
  expect(results[0]!.steps.map(({ input, output, model_calls }) => [input, output, model_calls])).toEqual([
    ['Hi', 'One', 1],
    ['Again', 'Two', 1],
  ]);
  const command = await importFiles('command.jsonl');
  expect(command.results[0]!.steps.map(({ input, output, models }) => [input, output, models])).toEqual([
    ['Hi', 'One', ['m']],
  ]);
});

test('hostile text stays text', async () => {
  const { results } = await importFiles('hostile.jsonl');
  expect(results.map(({ test: id }) => id)).toEqual(['\u001b[2J__proto__', '__proto__']);
  const { stdout } = await runCli(['import', 'hostile.jsonl', '-v'], { cwd: project.path });
  expect(stdout).not.toContain('\u001b');
});

test('a trace whose parents are a cycle is read', async () => {
  const { results } = await importFiles('cycle.jsonl');
  expect(results).toHaveLength(1);
  expect(results[0]!.steps[0]!.tool_calls).toMatchObject([{ tool: 'search' }]);
});

test('a format that is given is not guessed', async () => {
  const { exit_code } = await importFiles('packed.jsonl.gz', '--from', 'codex');
  expect(exit_code).toBe(2);
  const { exitCode, stderr } = await runCli(['import', 'torn.jsonl', '--from', 'word'], {
    cwd: project.path,
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--from');
});
