import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSuites, readDataset } from '../../src/index.ts';
import { brief, CASE_LINE, createFifo, createTempFolder, STEP_TEST } from './temp-folder.ts';
import { effort } from '../effort.ts';

async function load(...paths: string[]) {
  const { suites, findings } = await loadSuites(paths);
  return {
    ids: suites.flatMap(({ tests }) => tests.map(({ id }) => id)),
    problems: findings.map(brief),
    findings,
  };
}

const isRoot = process.getuid?.() === 0;

describe('paths that are not readable files', () => {
  test.each(['a.test.yaml', 'a.test.json', 'a.test.jsonl'])(
    'a FIFO named %s is a finding and does not hang',
    async (name) => {
      const folder = createTempFolder({ 'b.test.yaml': STEP_TEST });
      createFifo(join(folder, name));
      expect(await load(join(folder, name))).toMatchObject({ ids: [], problems: ['1:1 error not_a_file'] });
      expect(await load(folder)).toMatchObject({ ids: ['b'], problems: ['1:1 error not_a_file'] });
      symlinkSync(join(folder, name), join(folder, 'linked.test.jsonl'));
      expect((await load(join(folder, 'linked.test.jsonl'))).problems).toEqual(['1:1 error not_a_file']);
    },
  );

  test('devices are findings', async () => {
    const folder = createTempFolder();
    symlinkSync('/dev/zero', join(folder, 'zero.test.jsonl'));
    symlinkSync('/dev/zero', join(folder, 'other.test.yaml'));
    expect((await load(folder)).problems).toEqual(['1:1 error outside_project', '1:1 error outside_project']);
  });

  test('a dangling link is a finding, whether found or named', async () => {
    const folder = createTempFolder({ 'b.test.yaml': STEP_TEST });
    symlinkSync('nowhere', join(folder, 'a.test.yaml'));
    symlinkSync('nowhere', join(folder, 'c.test.jsonl'));
    expect(await load(folder)).toMatchObject({
      ids: ['b'],
      problems: ['1:1 error unreadable', '1:1 error unreadable'],
    });
  });

  test('a folder with the name of a suite is searched, not read', async () => {
    const folder = createTempFolder({ 'a.test.yaml/b.test.yaml': STEP_TEST });
    expect(await load(folder)).toMatchObject({ ids: ['b'], problems: [] });
    expect(await load(join(folder, 'a.test.yaml'))).toMatchObject({ ids: ['b'], problems: [] });
  });

  test.skipIf(isRoot)('a file without permission is a finding', async () => {
    const folder = createTempFolder({ 'a.test.yaml': STEP_TEST, 'b.test.jsonl': CASE_LINE });
    chmodSync(join(folder, 'a.test.yaml'), 0);
    chmodSync(join(folder, 'b.test.jsonl'), 0);
    expect((await load(folder)).problems).toEqual(['1:1 error unreadable', '1:1 error unreadable']);
  });

  test('loops of links end', async () => {
    const folder = createTempFolder({ 'deep/a.test.yaml': STEP_TEST });
    symlinkSync('..', join(folder, 'deep', 'up'));
    symlinkSync('loop.test.yaml', join(folder, 'loop.test.yaml'));
    const { ids, problems } = await load(folder);
    expect(ids).toEqual(['a']);
    expect(problems).toEqual(['1:1 error unreadable']);
  });

  test('a missing path is a finding with a hint', async () => {
    const folder = createTempFolder();
    expect((await load(join(folder, 'nope.test.yaml'))).findings).toMatchObject([
      { code: 'no_such_file', hint: expect.any(String) },
    ]);
    expect((await load('a\0b')).problems).toEqual(['1:1 error no_such_file']);
    expect((await load('')).problems).toEqual(['1:1 error no_such_file']);
  });
});

describe('size', () => {
  test('YAML and JSON over 64 MB are refused without being read', async () => {
    const folder = createTempFolder({ 'a.test.yaml': '', 'b.test.json': '', 'c.test.yaml': STEP_TEST });
    truncateSync(join(folder, 'a.test.yaml'), 64 * 1024 * 1024 + 1);
    truncateSync(join(folder, 'b.test.json'), 5 * 1024 * 1024 * 1024);
    const { ids, findings } = await load(folder);
    expect(ids).toEqual(['c']);
    expect(findings).toMatchObject([
      { code: 'too_large', message: 'the file has 64.0 MB, but the limit is 64.0 MB' },
      { code: 'too_large' },
    ]);
  });

  test('a dataset may be larger, but not one of its lines; the lines after it are read', async () => {
    const folder = createTempFolder({ 'a.test.jsonl': `${CASE_LINE}\n` });
    const file = join(folder, 'a.test.jsonl');
    truncateSync(file, 70 * 1024 * 1024);
    writeFileSync(file, `\n${CASE_LINE.replace('"a"', '"b"')}\n{`, { flag: 'a' });
    const { ids, problems } = await load(file);
    expect(ids).toEqual(['a', 'b']);
    expect(problems).toEqual(['2:1 error too_large', '4:2 error json']);
  });

  test('a last line that is too long is reported', async () => {
    const folder = createTempFolder({ 'a.test.jsonl': '' });
    truncateSync(join(folder, 'a.test.jsonl'), 70 * 1024 * 1024);
    expect((await load(folder)).problems).toEqual(['1:1 error too_large']);
  });
});

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('bytes', () => {
  test('invalid UTF-8 is reported with its offset, at the place of the byte', async () => {
    const folder = createTempFolder({
      'a.test.yaml': Buffer.concat([Buffer.from('# é😀\ninput: '), latin1('caf\xe9')]),
      'b.test.json': latin1('{"a":\n "\xff"}'),
      'c.test.yaml': STEP_TEST,
    });
    const { ids, findings } = await load(folder);
    expect(ids).toEqual(['c']);
    expect(findings).toMatchObject([
      { code: 'invalid_utf8', line: 2, column: 11, message: 'the byte at offset 19 is not valid UTF-8' },
      { code: 'invalid_utf8', line: 2, column: 3, message: 'the byte at offset 8 is not valid UTF-8' },
    ]);
  });

  test.each([
    ['an overlong form', [0xc0, 0x80], 0],
    ['a surrogate', [0xed, 0xa0, 0x80], 0],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80], 0],
    ['a lone continuation', [0x61, 0x80], 1],
    ['a cut-off character', [0x61, 0xf0, 0x9f, 0x98], 1],
    ['behind good characters', [0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80, 0xff], 6],
  ])('%s', async (_name, bytes, offset) => {
    const folder = createTempFolder({ 'a.test.yaml': Buffer.from(bytes) });
    expect((await load(folder)).findings).toMatchObject([
      { message: `the byte at offset ${offset} is not valid UTF-8` },
    ]);
  });

  test('the other lines of a dataset are read', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${CASE_LINE}\n{"é":"`),
      latin1('\xff'),
      Buffer.from(`"}\n${CASE_LINE.replace('"a"', '"😀"')}\n`),
      latin1('\xe9'),
    ]);
    const folder = createTempFolder({ 'a.test.jsonl': bytes });
    const { ids, findings } = await load(folder);
    expect(ids).toEqual(['a', '😀']);
    expect(findings.map(({ line, column, message }) => [line, column, message])).toEqual([
      [2, 7, 'the byte at offset 44 is not valid UTF-8'],
      [4, 1, `the byte at offset ${bytes.length - 1} is not valid UTF-8`],
    ]);
  });

  test('a byte order mark and CRLF are accepted in files too', async () => {
    const folder = createTempFolder({
      'a.test.jsonl': `\uFEFF${CASE_LINE}\r\n`,
      'b.test.yaml': `\uFEFF${STEP_TEST.replaceAll('\n', '\r\n')}`,
      'c.test.json': '\uFEFF{"input":"x","expected":{"output":"y"}}\r\n',
    });
    expect(await load(folder)).toMatchObject({ ids: ['a', 'b', 'c'], problems: [] });
  });

  test('a file that is not a suite is reported as such, whatever its bytes', async () => {
    const folder = createTempFolder({ 'photo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]) });
    expect((await load(join(folder, 'photo.png'))).problems).toEqual(['1:1 error unknown_format']);
  });
});

const line = (id: string, padding = '') => `{"id":"${id}","input":"${padding}","outcome":"G"}`;

const fill = (bytes: number) => '😀'.repeat(Math.floor(bytes / 4)) + 'x'.repeat(bytes % 4);

const lengthOf = (bytes: number) => Math.floor(bytes / 4) * 2 + (bytes % 4);

describe('long datasets', () => {
  test('three bad lines of thousands give exactly three findings', async () => {
    const half = effort({ short: 5000, long: 25_000 });
    const lines = Array.from({ length: 2 * half }, (_, index) => line(`case ${index}`, 'x'));
    lines[4] = '{"id": }';
    lines[half - 1] = line('case 3', 'x');
    lines[2 * half - 1] = '{"id":"last","outcome":"G"}';
    const folder = createTempFolder({ 'a.test.jsonl': lines.join('\n') });
    const { ids, findings } = await load(folder);
    expect(ids).toHaveLength(2 * half - 3);
    expect(findings.map(brief)).toEqual([
      '5:8 error json',
      `${half}:7 error duplicate_id id`,
      `${2 * half}:1 error missing_input input`,
    ]);
    expect(findings[1]!.message).toBe('the id "case 3" is already used on line 4');
  });

  // Chunks have 512 kB: lines, characters of several bytes and line ends must not be torn at their borders.
  test.each([-3, -2, -1, 0, 1, 2, 3])(
    'chunk borders may be %i bytes from a line end and inside characters',
    async (shift) => {
      const overhead = line('0').length;
      const first = line('0', fill(512 * 1024 - overhead + shift));
      const second = line('1', fill(1024 * 1024 - overhead + shift));
      const third = line('2', fill(3 * 1024 * 1024 + shift));
      const folder = createTempFolder({ 'a.test.jsonl': `${first}\r\n${second}\n\n${third}\n{` });
      const read: { line: number; length: number | undefined; codes: string[] }[] = [];
      for await (const item of readDataset(join(folder, 'a.test.jsonl'))) {
        read.push({
          line: item.line,
          length: (item.test?.input_messages?.[0]?.['content'] as string | undefined)?.length,
          codes: item.findings.map(({ code }) => code),
        });
      }
      expect(read).toEqual([
        { line: 1, length: lengthOf(512 * 1024 - overhead + shift), codes: [] },
        { line: 2, length: lengthOf(1024 * 1024 - overhead + shift), codes: [] },
        { line: 4, length: lengthOf(3 * 1024 * 1024 + shift), codes: [] },
        { line: 5, length: undefined, codes: ['json'] },
      ]);
    },
  );

  test('more findings than a JavaScript call may have arguments are reported', async () => {
    const folder = createTempFolder({ 'a.test.json': `{"cases":[${'1,'.repeat(149_999)}1]}` });
    expect((await load(folder)).findings).toHaveLength(150_000);
  });

  test('different ids are never confused', async () => {
    const shapes = [
      (n: number) => `${n}`,
      (n: number) => `case-${n}-${n * 7}`,
      (n: number) => `${'x'.repeat(n % 50)}${n}`,
    ];
    const lines = Array.from({ length: effort({ short: 6000, long: 100_000 }) }, (_, index) =>
      line(`${index % 3}/${shapes[index % 3]!(index)}`, 'x'),
    );
    const folder = createTempFolder({ 'a.test.jsonl': lines.join('\n') });
    expect((await load(folder)).findings).toEqual([]);
  });
});

test('thousands of files are found and read, in order', async () => {
  const count = effort({ short: 1200, long: 10_000 });
  const folder = createTempFolder();
  for (let index = 0; index < count; index++) {
    if (index % 1000 === 0) mkdirSync(join(folder, `d${index / 1000}`));
    writeFileSync(
      join(folder, `d${Math.floor(index / 1000)}`, `t${String(index).padStart(5, '0')}.test.yaml`),
      STEP_TEST,
    );
  }
  const { ids, problems } = await load(folder);
  expect(problems).toEqual([]);
  expect(ids).toHaveLength(count);
  expect(ids).toEqual([...ids].sort());
});
