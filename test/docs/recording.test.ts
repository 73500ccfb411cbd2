import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordScenes, withoutColors } from '../../scripts/recording/scenes.ts';
import { ROOT } from './assay-process.ts';
import { withoutNoise } from './printed-output.ts';

const svg = readFileSync(join(ROOT, 'docs/images/recording.svg'), 'utf8');

/** Its lines, without markup. */
const drawn = [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, line]) =>
  withoutNoise(
    line!
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  ),
);

test('the recording of the README shows what the program prints today; npm run recording draws it again', () => {
  const printed = recordScenes().flatMap(({ command, output }) => [`$ ${command}`, ...output.split('\n')]);
  const lines = printed.map((line) => withoutNoise(withoutColors(line))).filter((line) => line !== '');
  expect(drawn.map(withoutTimes)).toEqual(lines.map(withoutTimes));
});

test('it loads nothing, and runs no script', () => {
  expect(svg).not.toMatch(/<script|<image|<foreignObject|href=|@import|url\(/);
});

/** Columns of times are as wide as the times. */
function withoutTimes(line: string): string {
  return line.replace(/^time per attempt.*/, 'time per attempt').replaceAll(/ {2,}/g, '  ');
}
