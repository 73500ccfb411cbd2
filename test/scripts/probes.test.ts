import { expect, test } from 'vitest';
import { addProbes, probeAt, probesOf } from '../../scripts/mutation/probes.ts';

const SOURCE = `
const least = 3;
export function grade(scores) {
  const sum = scores.reduce((a, b) => a + b, 0);
  if (sum > least) return 'good';
  for (const score of scores) if (score < 0) return sum === 0 ? 'none' : 'bad';
  switch (sum) {
    case 2:
      return 'fair';
  }
  return scores.length > 5 && scores[0] === 1 ? 'many' : 'few';
}
`;
const probes = probesOf(SOURCE, 'a.ts');

/** The texts of the source that ran when it was called so. */
function ranThrough(scores: readonly number[]): { result: unknown; texts: readonly string[] } {
  const hits: string[] = [];
  const code = addProbes(SOURCE, probes, 'm')
    .replace(/^import [^;]*;/, '')
    .replace('export ', '');
  const result: unknown = new Function('__hit', `${code}; return grade(${JSON.stringify(scores)})`)(
    (key: string) => hits.push(key),
  );
  const ran = probes.filter(({ key }) => hits.includes(key));
  return { result, texts: ran.map(({ start, end }) => SOURCE.slice(start, end)) };
}

test.each([
  [[4], 'good', "return 'good';", "'few'"],
  [[1, 1], 'fair', "return 'fair';", "return 'good';"],
  [[1, -1], 'none', "'none'", "'bad'"],
  [[1, -2], 'bad', "'bad'", "'none'"],
  [[1], 'few', "'few'", 'scores[0] === 1'],
])('probes in %j note only what ran', (scores, result, ran, notRun) => {
  const run = ranThrough(scores);
  expect(run.result).toBe(result);
  expect(run.texts).toContain(ran);
  expect(run.texts).not.toContain(notRun);
});

test('a place belongs to the smallest piece that contains it', () => {
  const textAt = (text: string): string => {
    const start = SOURCE.indexOf(text);
    const probe = probeAt(probes, { start, end: start + text.length });
    return SOURCE.slice(probe.start, probe.end);
  };
  expect(textAt('a + b')).toBe('a + b');
  expect(textAt('score < 0')).toMatch(/^if \(score < 0\)/);
  expect(textAt('length > 5')).toMatch(/^return scores.length/);
  expect(textAt('3')).toBe(SOURCE);
});
