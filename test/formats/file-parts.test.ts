import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSuites, parseSuite, readDataset } from '../../src/index.ts';
import { createFifo, createTempFolder } from './temp-folder.ts';

const caseWith = (value: unknown, more = '') =>
  `{"id":"a","outcome":"G","input":[{"role":"user","content":[{"type":"text","value":"look"},{"type":"file","value":${JSON.stringify(value)}}]}]${more}}`;

/** Loads a case in `sub/` of a project (marked by `.git`) that refers to a file. */
async function refer(value: unknown, prepare: (project: string) => void = () => undefined) {
  const outside = createTempFolder({
    'secret.txt': 'secret',
    'project/.git/HEAD': '',
    'project/top.txt': 'top',
    'project/sub/near.txt': 'né😀',
    'project/sub/top.txt': 'nearer',
  });
  const project = join(outside, 'project');
  prepare(project);
  const results = [];
  for (const [name, text] of [
    ['c.test.yaml', `cases:\n  - ${caseWith(value)}\n`],
    ['c.test.json', `{"cases":[${caseWith(value)}]}`],
    ['d.test.jsonl', caseWith(value)],
  ] as const) {
    const file = join(project, 'sub', name);
    writeFileSync(file, text);
    const { suites, findings } = await loadSuites([file]);
    const content = suites[0]?.tests[0]?.input_messages?.[0]?.['content'] as { text?: string }[] | undefined;
    results.push({
      text: content?.[1]?.text,
      codes: findings.map(
        ({ severity, code, path }) => `${severity} ${code} ${path.replace(/^cases\[0\]\./, '')}`,
      ),
      messages: findings.map(({ message }) => message),
    });
  }
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
  return results[0]!;
}

const REFUSED = ['error file_reference input[0].content[1].value'];

describe('a file part', () => {
  test('gets the text of the file, and keeps its path', async () => {
    expect(await refer('near.txt')).toMatchObject({ text: 'né😀', codes: [] });
    expect(await refer('./near.txt')).toMatchObject({ text: 'né😀', codes: [] });
  });

  test("is looked for in the suite's folder first, then upward to the root", async () => {
    expect((await refer('top.txt')).text).toBe('nearer');
    expect((await refer('sub/near.txt')).text).toBe('né😀');
    expect((await refer('../top.txt')).text).toBe('top');
  });

  test.each([
    ['that is not there', 'nope.txt', 'there is no file nope.txt'],
    ['outside by ..', '../../secret.txt', 'is outside the project'],
    ['outside by an absolute path', '/etc/passwd', 'is outside the project'],
    ['outside, which is not there', '../../../../../../nope', 'is outside the project'],
    ['that is a folder', '.', 'is not a regular file'],
    ['without a name', '', 'is not a regular file'],
    ['with NUL in its name', 'a\0b', 'there is no file'],
  ])('%s is a finding', async (_name, value, message) => {
    const { codes, messages, text } = await refer(value);
    expect(codes).toEqual(REFUSED);
    expect(messages[0]).toContain(message);
    expect(text).toBeUndefined();
  });

  test.each([
    [
      'a link out of the project',
      (project: string) => symlinkSync('../../secret.txt', join(project, 'sub/x')),
      'is outside the project',
    ],
    [
      'a link to a folder outside',
      (project: string) => symlinkSync('../..', join(project, 'sub/up')),
      'is outside the project',
      'up/secret.txt',
    ],
    [
      'a device',
      (project: string) => symlinkSync('/dev/zero', join(project, 'sub/x')),
      'is outside the project',
    ],
    ['a FIFO', (project: string) => createFifo(join(project, 'sub/x')), 'is not a regular file'],
    [
      'a dangling link',
      (project: string) => symlinkSync('nowhere', join(project, 'sub/x')),
      'there is no file',
    ],
    ['a loop', (project: string) => symlinkSync('x', join(project, 'sub/x')), 'there is no file'],
    [
      'more than 10 MB',
      (project: string) => sparse(join(project, 'sub/x'), 10 * 1024 * 1024 + 1),
      'is larger than 10 MB',
    ],
    [
      'no UTF-8',
      (project: string) => execFileSync('sh', ['-c', 'printf "\\377" > "$0"', join(project, 'sub/x')]),
      'is not UTF-8 text (byte 0)',
    ],
  ])('%s is a finding', async (_name, prepare, message, value = 'x') => {
    const { codes, messages } = await refer(value, prepare);
    expect(codes).toEqual(REFUSED);
    expect(messages[0]).toContain(message);
  });

  test('a link inside the project is followed, and a file of exactly 10 MB is read', async () => {
    expect((await refer('x', (project) => symlinkSync('../top.txt', join(project, 'sub/x')))).text).toBe(
      'top',
    );
    expect(
      (await refer('x', (project) => sparse(join(project, 'sub/x'), 10 * 1024 * 1024))).text,
    ).toHaveLength(10 * 1024 * 1024);
  });

  test('a folder whose name begins with two dots is inside the project', async () => {
    const { text } = await refer('..odd/x', (project) => {
      mkdirSync(join(project, '..odd'));
      execFileSync('sh', ['-c', 'printf odd > "$0"', join(project, '..odd/x')]);
    });
    expect(text).toBe('odd');
  });

  test('has its place in the file', async () => {
    const folder = createTempFolder({
      'a.test.yaml':
        'cases:\n  - id: a\n    outcome: G\n    input:\n      - role: user\n        content:\n          - { type: file, value: nope.txt }\n',
      'b.test.jsonl': caseWith('nope.txt'),
    });
    const { suites, findings } = await loadSuites([folder]);
    expect(findings.map(({ line, column }) => [line, column])).toEqual([
      [7, 34],
      [1, caseWith('nope.txt').indexOf('"nope') + 1],
    ]);
    expect(suites.map(({ tests }) => tests.length)).toEqual([0, 0]);
  });

  test('is not opened by parseSuite, and is read in expected messages and steps', async () => {
    const text = caseWith('x.txt');
    expect(parseSuite({ path: 'a.jsonl', text }).suite!.tests[0]!.input_messages![0]!['content']).toEqual([
      { type: 'text', value: 'look' },
      { type: 'file', value: 'x.txt' },
    ]);
    const part = { role: 'assistant', content: [{ type: 'file', value: 'x.txt', note: 1 }] };
    const folder = createTempFolder({
      'x.txt': 'X',
      'a.test.jsonl': JSON.stringify({
        id: 'a',
        steps: [{ input: 'q', expected_output: [part], assert: [{ type: 'match' }] }],
      }),
    });
    for await (const { test: read } of readDataset(join(folder, 'a.test.jsonl'))) {
      expect(read!.steps[0]!.expected_messages[0]!['content']).toEqual([
        { type: 'file', value: 'x.txt', note: 1, text: 'X' },
      ]);
      expect(read!.expected_messages).toEqual(read!.steps[0]!.expected_messages);
    }
  });
});

function sparse(file: string, size: number): void {
  execFileSync('touch', [file]);
  truncateSync(file, size);
}
