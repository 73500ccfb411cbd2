import { expect, test } from 'vitest';
import { splitWords } from './split-words.ts';

test.each<[string, readonly string[] | undefined]>([
  ['./my-agent --flag', ['./my-agent', '--flag']],
  ['  a \t b\nc ', ['a', 'b', 'c']],
  ['', []],
  [`a 'b c' "d e"`, ['a', 'b c', 'd e']],
  [`a '' ""`, ['a', '', '']],
  [`--name='x y'z`, ['--name=x yz']],
  [String.raw`a\ b \"c\" \\`, ['a b', '"c"', '\\']],
  [String.raw`"a\"b\\c\n" 'a\"b'`, [String.raw`a"b\c\n`, String.raw`a\"b`]],
  [`"it's" 'say "hi"'`, [`it's`, `say "hi"`]],
  ['$HOME `date` *.txt ~ ; | > && #x', ['$HOME', '`date`', '*.txt', '~', ';', '|', '>', '&&', '#x']],
  ['a\\', ['a\\']],
  [`a "b`, undefined],
  [`it's`, undefined],
])('%s', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});
