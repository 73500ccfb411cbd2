import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSuite } from '../../src/suites/load/load-suites.ts';
import { openLongSuite } from '../../src/suites/load/open-long-suite.ts';
import type { Test } from '../../src/base/model/test.ts';
import { createFifo, createTempFolder } from './temp-folder.ts';

const SUITE = (each: string): string => `
tests:
  - id: t
    each: ${each}
    input: "{{q}}"
    assert: [{type: equals, value: "{{a}}"}]
`;

async function load(
  files: Readonly<Record<string, string | Uint8Array>>,
  suite = 'a.eval.yaml',
  prepare?: (folder: string) => void,
) {
  const folder = createTempFolder({ 'p/package.json': '{}', ...files });
  prepare?.(folder);
  const file = join(folder, 'p', suite);
  const { suite: loaded, findings } = await loadSuite(file, join(folder, 'p'));
  const shown = (path: string): string => relative(join(folder, 'p'), path);
  return {
    tests: loaded?.tests ?? [],
    problems: findings.map(({ code, file: at, line, column }) => `${shown(at)}:${line}:${column} ${code}`),
    messages: findings.map(({ message }) => message),
    places: (loaded?.tests ?? []).map(({ row }) => row && `${shown(row.file)}:${row.line}:${row.column}`),
  };
}

const questions = (tests: readonly Test[]): unknown =>
  tests.map(({ input_messages, steps: [step] }) => [
    input_messages![0]!['content'],
    step!.assertions[0]!.parameters['value'],
  ]);

describe('rows of a file', () => {
  test.each([
    [
      'rows.csv',
      '\uFEFFid,q,a\r\none,"x\r\ny",\r\n\r\ntwo,{{q}},7\r\n',
      ['2:1', '5:1'],
      [
        ['x\r\ny', ''],
        ['{{q}}', '7'],
      ],
    ],
    [
      'rows.jsonl',
      '\uFEFF{"id":"one","q":"x","a":"y"}\r\n\r\n {"id":"two","q":"{{q}}","a":"7"}\n',
      ['1:1', '3:1'],
      [
        ['x', 'y'],
        ['{{q}}', '7'],
      ],
    ],
    [
      'rows.json',
      '[\n {"id":"one","q":"x","a":"y"},\n {"id":"two","q":"{{q}}","a":"7"}]',
      ['2:2', '3:2'],
      [
        ['x', 'y'],
        ['{{q}}', '7'],
      ],
    ],
    [
      'rows.yaml',
      '- id: one\n  q: x\n  a: y\n- {id: two, q: "{{q}}", a: "7"}\n',
      ['1:3', '4:3'],
      [
        ['x', 'y'],
        ['{{q}}', '7'],
      ],
    ],
  ])('%s: each row has its place', async (name, text, places, expected) => {
    const loaded = await load({ 'p/a.eval.yaml': SUITE(name), [`p/${name}`]: text });
    const isEmpty = expected.some(([, answer]) => answer === '');
    expect(loaded.problems).toEqual(isEmpty ? ['a.eval.yaml:6:14 empty_cell'] : []);
    expect(loaded.tests.map(({ id }) => id)).toEqual(['t[one]', 't[two]']);
    expect(loaded.places).toEqual(places.map((place) => `${name}:${place}`));
    expect(questions(loaded.tests)).toEqual(expected);
  });

  test('YAML of step tests is read as PyYAML does, in the suite and in its rows', async () => {
    const loaded = await load(
      {
        'p/a.test.yaml': 'id: t\neach: rows.yaml\ninput: x\nassert: {memory.v: "{{v}}"}\n',
        'p/rows.yaml': '- {id: a, v: 1e3}\n- {id: b, v: 0o10}\n',
      },
      'a.test.yaml',
    );
    expect(
      loaded.tests.map(
        ({ steps: [step] }) => step!.assertions[0]!.parameters['equals'] ?? step!.assertions[0]!.parameters,
      ),
    ).toMatchObject([{ value: '1e3' }, { value: '0o10' }]);
  });

  test('values come from the file, the test and the row, and JSON numbers stay exact', async () => {
    const loaded = await load({
      'p/a.eval.yaml': `
vars: {q: file, a: file, n: file}
tests:
  - {id: t, vars: {q: test}, each: rows.json, input: "{{q}} {{a}}", memory: {n: "{{n}}"}, assert: [{type: contains, value: x}]}
`,
      'p/rows.json': '[{"a":"row","n":12345678901234567890},{"q":"row"}]',
    });
    expect(loaded.problems).toEqual([]);
    expect(
      loaded.tests.map(({ input_messages, memory }) => [input_messages![0]!['content'], memory!['n']]),
    ).toEqual([
      ['test row', 12345678901234567890n],
      ['row file', 'file'],
    ]);
  });

  test('the file is looked for next to the suite, then upward to the root', async () => {
    const loaded = await load(
      { 'p/s/a.eval.yaml': SUITE('data/r.csv'), 'p/data/r.csv': 'q,a\nx,y\n' },
      's/a.eval.yaml',
    );
    expect(loaded.problems).toEqual([]);
    expect(loaded.tests).toHaveLength(1);
  });

  test.each<[string, Readonly<Record<string, string | Uint8Array>>, readonly string[]]>([
    ['r.csv', {}, ['a.eval.yaml:4:11 row_file']],
    ['"{{q}}.csv"', { 'p/x.csv': 'q,a\nx,y' }, ['a.eval.yaml:4:11 row_file']],
    ['../out.csv', { 'out.csv': 'q,a\nx,y' }, ['a.eval.yaml:4:11 row_file']],
    ['/etc/passwd', {}, ['a.eval.yaml:4:11 row_file']],
    ['rows.txt', { 'p/rows.txt': 'q,a\nx,y' }, ['a.eval.yaml:4:11 row_file']],
    ['link.csv', { 'out.csv': 'q,a\nx,y' }, ['a.eval.yaml:4:11 row_file']],
    ['folder.csv', {}, ['a.eval.yaml:4:11 row_file']],
    ['fifo.csv', {}, ['a.eval.yaml:4:11 row_file']],
    ['r.csv', { 'p/r.csv': '' }, ['r.csv:1:1 no_rows']],
    ['r.jsonl', { 'p/r.jsonl': '\n' }, ['r.jsonl:1:1 no_rows']],
    ['r.json', { 'p/r.json': '[]' }, ['r.json:1:1 no_rows']],
    ['r.json', { 'p/r.json': '{"q":1}' }, ['r.json:1:1 type']],
    ['r.json', { 'p/r.json': '[{"q":1},]' }, ['r.json:1:9 json']],
    ['r.jsonl', { 'p/r.jsonl': '{"q":"x","a":"y"}\n{"q":}\n3\n' }, ['r.jsonl:2:6 json', 'r.jsonl:3:1 type']],
    ['r.csv', { 'p/r.csv': 'q,a\nx,y\nx\n1,"2\n' }, ['r.csv:3:1 csv_cells', 'r.csv:4:3 csv_quote']],
    [
      'r.csv',
      { 'p/r.csv': Buffer.from([0x71, 0x2c, 0x61, 0x0a, 0x78, 0xff, 0x2c, 0x79]) },
      ['r.csv:2:2 invalid_utf8'],
    ],
    ['r.jsonl', { 'p/r.jsonl': Buffer.from('{"q":"\xff"}', 'latin1') }, ['r.jsonl:1:7 invalid_utf8']],
    ['r.csv', { 'p/r.csv': 'q,b\nx,y\n' }, ['a.eval.yaml:6:36 unknown_variable']],
  ])('each: %s %j is an error at its place', async (each, files, problems) => {
    const loaded = await load({ 'p/a.eval.yaml': SUITE(each), ...files }, 'a.eval.yaml', (folder) => {
      symlinkSync(join(folder, 'out.csv'), join(folder, 'p', 'link.csv'));
      mkdirSync(join(folder, 'p', 'folder.csv'));
      createFifo(join(folder, 'p', 'fifo.csv'));
    });
    expect(loaded.problems).toEqual(problems);
  });

  test('a cell of ten megabytes is an error at its place, and the other rows are read', async () => {
    const long = 'x'.repeat(10 * 1024 * 1024);
    const loaded = await load({ 'p/a.eval.yaml': SUITE('r.csv'), 'p/r.csv': `q,a\n1,2\n3,"${long}"\n5,6\n` });
    expect(loaded.problems).toEqual(['r.csv:3:3 too_large']);
    expect(loaded.tests.map(({ id }) => id)).toEqual(['t[2,1]', 't[6,5]']);
  });

  test('the same row twice is an error that names both', async () => {
    const loaded = await load({ 'p/a.eval.yaml': SUITE('r.csv'), 'p/r.csv': 'q,a\n1,2\n3,4\n1,2\n' });
    expect(loaded.problems).toEqual(['a.eval.yaml:3:9 duplicate_id']);
    expect(loaded.messages[0]).toMatch(
      /the id "t\[2,1\]" is already used by the row on line 2 \(row .*r\.csv:4\)$/,
    );
  });

  test('rows are streamed, and a change of them changes the suite', () => {
    const rows = Array.from({ length: 5000 }, (_, index) => `${index},é${index}\n`).join('');
    const folder = createTempFolder({
      'a.eval.yaml': SUITE('r.csv'),
      'b.eval.yaml': SUITE('s.csv'),
      'r.csv': `q,a\n${rows}`,
      's.csv': 'q,a\n1,2\n',
    });
    const seen: string[] = [];
    const opened = openLongSuite(join(folder, 'a.eval.yaml'), folder, {
      onTest: ({ id }) => void seen.push(id),
    })!;
    const again = [...opened.batches()].flat();
    expect(opened.findings).toEqual([]);
    expect(again.map(({ id }) => id)).toEqual(seen);
    expect(again).toHaveLength(5000);
    expect(again.at(-1)).toMatchObject({ id: 't[é4999,4999]', row: { line: 5001 } });
    const other = openLongSuite(join(folder, 'b.eval.yaml'), folder)!;
    expect(other.hash).not.toBe(opened.hash);
  });

  test('a sidecar gives variables and evaluators to every line and its data rows', async () => {
    const loaded = await load(
      {
        'p/d.jsonl':
          '{"id":"a","each":"r.csv","input":"{{q}} {{land}}"}\n{"id":"b","vars":{"a":"{{q}}"},"input":"{{land}}"}\n',
        'p/d.yaml': 'vars: {land: FR}\nevaluators: [{type: equals, value: "{{a}} {{land}}"}]\n',
        'p/r.csv': 'id;q;a\n1;x;y\n2;"x;";""\n',
      },
      'd.jsonl',
    );
    expect(loaded.problems).toEqual([]);
    expect(loaded.tests.map(({ id }) => id)).toEqual(['a[1]', 'a[2]', 'b']);
    expect(questions(loaded.tests)).toEqual([
      ['x FR', 'y FR'],
      ['x; FR', ' FR'],
      ['FR', '{{q}} FR'],
    ]);
  });

  test('an unknown variable in a sidecar is an error in the sidecar', async () => {
    const loaded = await load(
      {
        'p/d.jsonl': '{"id":"a","vars":{"x":1},"input":"q"}\n{"id":"b","input":"q"}\n',
        'p/d.yaml': 'evaluators: [{type: contains, value: "{{y}}"}]\n',
      },
      'd.jsonl',
    );
    expect(loaded.problems).toEqual(['d.yaml:1:38 unknown_variable', 'd.yaml:1:14 unfilled_braces']);
    expect(questions(loaded.tests)).toEqual([['q', '{{y}}']]);
  });
});
