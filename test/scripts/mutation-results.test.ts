import { expect, test } from 'vitest';
import type { Mutant } from '../../scripts/mutation/mutants.ts';
import { resultsOf } from '../../scripts/mutation/results.ts';
import type { Tried } from '../../scripts/mutation/workshop.ts';

const tried = (file: string, end: Tried['end'], name = `${file}: ${end}`): Tried => ({
  mutant: { file, line: 7, name } as Mutant,
  end,
  why: '',
  seconds: 1,
});

test('mutants that the types refuse or that are equivalent do not count', () => {
  const all = [
    tried('src/run/a.ts', 'killed'),
    tried('src/run/a.ts', 'timeout'),
    tried('src/run/a.ts', 'survived', 'src/run/a.ts: same'),
    tried('src/run/a.ts', 'survived', 'src/run/a.ts: open'),
    tried('src/run/a.ts', 'refused'),
    tried('src/stats/b.ts', 'killed'),
  ];
  const options = { seed: 3, rooms: ['run', 'stats', 'api'], equivalent: { 'src/run/a.ts: same': 'it is' } };
  const results = resultsOf(all, { ...options, earlier: {} });
  expect(results).toMatchObject({
    seed: 3,
    before: undefined,
    score: {
      run: { tried: 5, refused: 1, equivalent: 1, killed: 2, share: 0.667 },
      stats: { tried: 1, killed: 1, share: 1 },
      api: { tried: 0, share: 1 },
      all: { tried: 6, refused: 1, equivalent: 1, killed: 3, share: 0.75 },
    },
    survivors: [
      { name: 'src/run/a.ts: open', line: 7 },
      { name: 'src/run/a.ts: same', equivalent: 'it is' },
    ],
  });
  const { score } = results;
  expect(resultsOf([], { ...options, earlier: results }).before).toEqual(score);
  expect(resultsOf([], { ...options, earlier: { ...results, before: {} } }).before).toEqual({});
  expect(resultsOf([], { ...options, seed: 4, earlier: results }).before).toBeUndefined();
});
