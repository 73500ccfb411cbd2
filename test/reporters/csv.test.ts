import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject, runCli } from '../project.ts';

const AGENT = `export const agent = (input) => ({ output: input + String.fromCharCode(27) + '[31m', tools_used: [] });`;

const SUITE = `- { id: '=HYPERLINK("x")', tags: [a, b], input: 'say "hi", please', assert: { output.includes: hi } }
- { id: '@sum', input: "-1+2", assert: { output.includes: nothing } }
- { id: lines, input: "one\\ntwo", repeats: 2, assert: { output.includes: two } }
- { id: '\uff1dwide', skip: not yet, input: x, assert: { output.includes: x } }
`;

test('csv has a row per attempt, is RFC 4180, and holds no formula', async () => {
  const project = createProject({ 'agent.mjs': AGENT, 'a.test.yaml': SUITE.replace('\\uff1d', '\uff1d') });
  const { exitCode, stderr } = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'csv=live.csv'], {
    cwd: project.path,
  });
  expect([exitCode, stderr]).toEqual([1, '']);
  const live = readFileSync(join(project.path, 'live.csv'), 'utf8');
  await runCli(['report', '--csv', 'later.csv'], { cwd: project.path });
  expect(readFileSync(join(project.path, 'later.csv'), 'utf8')).toBe(live);
  project.remove();
  const [head = [], ...rows] = parse(live);
  const column = (name: string): readonly (string | undefined)[] =>
    rows.map((row) => row[head.indexOf(name)]);
  expect(column('test')).toEqual(['\'=HYPERLINK("x")', "'@sum", 'lines', 'lines', "'\uff1dwide"]);
  expect(column('input')).toEqual(['say "hi", please', "'-1+2", 'one\ntwo', 'one\ntwo', '']);
  expect(column('verdict')).toEqual(['passed', 'failed', 'passed', 'passed', 'skipped']);
  expect(column('repeat')).toEqual(['1', '1', '1', '2', '1']);
  expect(column('tags')).toEqual(['a b', '', '', '', '']);
  expect(column('output')[0]).toBe(String.raw`say "hi", please\x1b[31m`);
  for (const row of rows) expect(row).toHaveLength(head.length);
});

/** RFC 4180, and nothing else. */
function parse(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let end = 0;
  for (const [all, quoted, plain = '', separator] of text.matchAll(cells)) {
    end += all.length;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (separator === ',') continue;
    rows.push(row);
    row = [];
  }
  expect(end).toBe(text.length);
  return rows;
}
