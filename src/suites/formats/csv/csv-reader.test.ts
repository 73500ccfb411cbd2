import { describe, expect, it } from 'vitest';
import { parseCsv, CsvReader } from './csv-reader.ts';

function values(text: string): unknown {
  return parseCsv('a.csv', text).rows.map((row) => row.values);
}

function problems(text: string): readonly string[] {
  return parseCsv('a.csv', text).rows.flatMap(({ findings }) =>
    findings.map(({ code, line, column }) => `${code} ${line}:${column}`),
  );
}

describe('CSV', () => {
  it('reads quotes, line breaks in cells, a BOM, CRLF and empty cells', () => {
    expect(values('\uFEFFname,text\r\nAnn,"a, ""b""\r\nc"\r\n\r\n,""\r\nBo,x')).toEqual([
      { name: 'Ann', text: 'a, "b"\r\nc' },
      { name: '', text: '' },
      { name: 'Bo', text: 'x' },
    ]);
  });

  it('keeps cells as they are, and trims only the names of columns', () => {
    expect(values('a , b\n 1 , 007\n')).toEqual([{ a: ' 1 ', b: ' 007' }]);
  });

  it('uses the separator that is more frequent in the first line, outside quotes', () => {
    expect(values('a;b\n1,5;2\n')).toEqual([{ a: '1,5', b: '2' }]);
    expect(values('"a;b;c",d\n1,2\n')).toEqual([{ 'a;b;c': '1', d: '2' }]);
    expect(values('text\na;b\n')).toEqual([{ text: 'a;b' }]);
  });

  it('reports every invalid row at its place and reads the others', () => {
    const text = 'a,b\n1\n1,2,3\n"x"y,2\nq"r,2\nok,ok\n1,"never closed\n2,3\n';
    expect(problems(text)).toEqual([
      'csv_cells 2:1',
      'csv_cells 3:5',
      'csv_quote 4:4',
      'csv_quote 5:2',
      'csv_quote 7:3',
    ]);
    expect(values(text)).toContainEqual({ a: 'ok', b: 'ok' });
  });

  it('counts columns in code points, and counts line breaks inside cells', () => {
    expect(problems('a,b\n"😀\n\n",1\n😀😀"x,2\n')).toEqual(['csv_quote 5:3']);
  });

  it.each([
    ['', ['no_rows 1:1']],
    ['a,b\n', ['no_rows 1:1']],
    ['a,b,a\n1,2,3\n', ['csv_header 1:5']],
    ['a,,b\n1,2,3\n', ['csv_header 1:3']],
    ['"a,b\n1,2\n', ['csv_quote 1:1']],
  ])('refuses the header of %j', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  it('refuses a cell of more than a million characters, quoted or not, and continues', () => {
    const long = 'x'.repeat(1_000_001);
    const text = `a,b\n1,${long}\n"${long}",2\n3,4\n1,"torn${long}\n${long}`;
    expect(problems(text)).toEqual(['too_large 2:3', 'too_large 3:1', 'too_large 5:3', 'csv_quote 5:3']);
    expect(values(text)).toContainEqual({ a: '3', b: '4' });
  });

  it.each(['é😀', 'é'])('gives the same rows wherever the text is split into chunks: %s', (cell) => {
    const text = `\uFEFFa;b\r\n"x""\r\ny";2\r\n\r\n"";"${cell}"\r\n1;"2"x\r\n3;4;5\r\nq"${cell};1\r\n6;`;
    const whole = parseCsv('a.csv', text).rows;
    expect(whole).toHaveLength(6);
    for (let size = 1; size < text.length; size++) {
      const reader = new CsvReader('a.csv');
      const rows = [];
      for (let at = 0; at < text.length; at += size) rows.push(...reader.write(text.slice(at, at + size)));
      rows.push(...reader.end());
      expect(rows).toEqual(whole);
    }
  });

  it('treats `__proto__` as an ordinary name', () => {
    const [row] = parseCsv('a.csv', '__proto__\nx\n').rows;
    expect(Object.keys(row!.values!)).toEqual(['__proto__']);
  });
});
