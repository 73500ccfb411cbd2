import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProject, runCli } from '../project.ts';
import { NAUGHTY, naughtyProject } from './naughty-suite.ts';

interface Point {
  readonly ok: boolean;
  readonly number: number;
  readonly description: string;
  readonly directive?: string;
  readonly diagnostics?: {
    readonly message: string;
    readonly severity: string;
    readonly at: { readonly file: string; readonly line: number; readonly column: number };
    readonly details: string;
    readonly attempts: readonly string[];
  };
}

let points: readonly Point[];
let text: string;

beforeAll(async () => {
  const project = createProject(naughtyProject());
  const args = ['run', 'suites', '--agent', './agent.mjs', '--repeats', '2', '--reporter', 'tap'];
  text = (await runCli(args, { cwd: project.path })).stdout;
  project.remove();
  points = readTap(text);
});

/** A harness that knows TAP 14 and takes nothing else: any line that is not of it throws. */
function readTap(tap: string): readonly Point[] {
  const lines = tap.trimEnd().split('\n');
  expect(lines.shift()).toBe('TAP version 14');
  const planned = Number(/^1\.\.(\d+)$/.exec(lines.shift()!)![1]);
  const read: Point[] = [];
  while (lines.length > 0) {
    const [, not, number, rest] = /^(not )?ok (\d+) - (.*)$/.exec(lines.shift()!)!;
    const [, description, directive] = /^((?:\\.|[^\\#])*?)(?: # (.*))?$/.exec(rest!)!;
    const block: string[] = [];
    if (lines[0] === '  ---') {
      lines.shift();
      for (let line = lines.shift()!; line !== '  ...'; line = lines.shift()!) {
        expect(line).toMatch(/^(?: {2}|$)/);
        block.push(line.slice(2));
      }
    }
    read.push({
      ok: not === undefined,
      number: Number(number),
      description: description!.replaceAll(/\\([\\#])/g, '$1'),
      ...(directive === undefined ? {} : { directive }),
      ...(block.length === 0
        ? {}
        : { diagnostics: parse(block.join('\n')) as NonNullable<Point['diagnostics']> }),
    });
  }
  expect(read.map(({ number }) => number)).toEqual(Array.from({ length: planned }, (_, index) => index + 1));
  return read;
}

const pointOf = (name: string) => points.find(({ description }) => description.endsWith(`: ${name}`))!;

test('there is a test point for each test and for each problem of a file', () => {
  expect(points).toHaveLength(NAUGHTY.length + 6 + 1);
  expect(points[0]).toMatchObject({
    ok: false,
    description: 'suites/invalid.test.yaml:3 unknown_assertion',
    diagnostics: { severity: 'error', at: { file: 'suites/invalid.test.yaml', line: 3, column: 3 } },
  });
  expect(pointOf('passes')).toMatchObject({ ok: true });
  expect(pointOf('skipped')).toMatchObject({ ok: true, directive: 'SKIP later | # ]]> soon' });
  expect(pointOf('throws')).toMatchObject({ ok: false, diagnostics: { severity: 'error' } });
});

test('diagnostics say what failed, where, and what happened in each attempt', () => {
  const { diagnostics } = pointOf('fails');
  expect(diagnostics).toMatchObject({
    message: 'output.equals: expected "goodbye", got "hello"',
    severity: 'fail',
    at: { file: 'suites/verdicts.test.yaml', line: 9, column: 20 },
    attempts: ['failed', 'failed'],
  });
  expect(diagnostics!.details).toContain('FAIL fails Says goodbye\n\n  suites/verdicts.test.yaml:9:20\n');
  expect(pointOf('flaky').diagnostics!.attempts).toEqual(['passed', 'failed']);
});

test('text of a test or an agent never becomes a TAP line or a control character', () => {
  expect(pointOf(String.raw`16 # SKIP \# TODO not ok 7 - injected\n1..99\nBail out!\n  ...\n  ---`).ok).toBe(
    false,
  );
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
});
