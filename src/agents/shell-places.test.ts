import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { effort } from '../../test/effort.ts';
import * as fc from '../../test/seeded-fast-check.ts';
import { quoteForShell } from './processes/quote-for-shell.ts';
import { shellPlaces } from './shell-places.ts';

const placeOfHole = (script: string): string => shellPlaces(script)[script.indexOf('{X}')]!;

test.each([
  ['echo {X}', 'plain'],
  ['echo --text={X} "quoted" \'too\'', 'plain'],
  ['echo "it\'s" {X}', 'plain'],
  ['echo "$(echo {X})"', 'plain'],
  ['echo $(echo "a)" {X})', 'plain'],
  ['(echo {X}) | cat', 'plain'],
  ['echo a#b {X}', 'plain'],
  ['cat <<< word {X}', 'plain'],
  ['cat <<END\n"\'\nEND\necho {X}', 'plain'],
  ['echo "{X}"', 'quotes'],
  ["echo '{X}'", 'quotes'],
  ["sh -c 'echo {X}'", 'quotes'],
  ['echo "$(echo "{X}")"', 'quotes'],
  ["echo $'{X}'", 'quotes'],
  ['echo "a\\"{X}"', 'quotes'],
  ['echo `echo {X}`', 'expansion'],
  ['echo ${A:-{X}}', 'expansion'],
  ['echo $((1 + {X}))', 'expansion'],
  ['cat <<END\n{X}\nEND\n', 'here-document'],
  ["cat <<-'END' > file\n\t{X}\n\tEND\n", 'here-document'],
  ['echo a # {X}', 'comment'],
  ['echo \\{X}', 'backslash'],
])('%j: %s', (script, place) => expect(placeOfHole(script)).toBe(place));

test('a value in an unquoted place is never executed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-shell-'));
  const pwn = 'touch pwned';
  const value = `'; ${pwn}; '"; ${pwn}; "\n${pwn}\n$(${pwn})\`${pwn}\`\nE\n${pwn}\n}; ${pwn}`;
  const pieces = [
    'echo ',
    '{X}',
    '{X}',
    '"',
    "'",
    '$(',
    ')',
    '`',
    '\\',
    '\n',
    '# ',
    '<<E\n',
    'E\n',
    '${x:-',
    '}',
    ';',
    "$'",
    '(',
  ];
  let executed = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (parts) => {
      const script = parts.join('');
      const places = shellPlaces(script);
      expect(places).toHaveLength(script.length);
      const holes = [...script.matchAll(/\{X\}/g)];
      if (holes.length === 0 || holes.some(({ index }) => places[index] !== 'plain')) return;
      executed++;
      spawnSync('/bin/sh', ['-c', script.replaceAll('{X}', () => quoteForShell(value))], { cwd: folder });
      expect(existsSync(join(folder, 'pwned')), script).toBe(false);
    }),
    { numRuns: 1500 },
  );
  expect(executed).toBeGreaterThan(effort({ short: 25, long: 100 }));
  rmSync(folder, { recursive: true });
});
