import { expect, test } from 'vitest';
import { applyMutant, mutantsOf, type Mutant } from '../../scripts/mutation/mutants.ts';
import { sampleMutants } from '../../scripts/mutation/rooms.ts';
import { randomFrom } from '../../scripts/random.ts';

const changed = (source: string): readonly string[] =>
  mutantsOf(source, 'a.ts').map((mutant) => applyMutant(source, mutant));

test.each([
  ['const x = a >= b;', ['const x = a > b;', 'const x = a < b;']],
  ['const x = a && b;', ['const x = a || b;']],
  ['const x = !a;', ['const x = a;']],
  ['const x = a ? b : c;', ['const x = true ? b : c;', 'const x = false ? b : c;']],
  ['const x = 0.9;', ['const x = 1.9;']],
  ['const x = all.some(f);', ['const x = all.every(f);']],
  ['a += b;', [';', 'a -= b;']],
  ['const f = () => { save(); };', ['const f = () => { ; };']],
])('%s', (source, mutated) => {
  expect(changed(source)).toEqual(mutated);
});

test('types, imports and errors are not mutated', () => {
  expect(
    changed(`import a from 'b';\ntype T = 1 | 2;\nfunction f(x: 3): 4 {\n  throw new Error('no' + 5);\n}`),
  ).toEqual([]);
});

test('a sample covers each room and is the same for the same seed', () => {
  const rooms = ['small', 'large'].map((room, index) =>
    Array.from(
      { length: index === 0 ? 5 : 500 },
      (_, line) => ({ file: `src/${room}/a.ts`, line }) as Mutant,
    ),
  );
  const sample = (seed: number) => sampleMutants(rooms, { count: 50, least: 3, random: randomFrom(seed) });
  expect(sample(1)).toHaveLength(50);
  expect(sample(1).filter(({ file }) => file.includes('small')).length).toBeGreaterThanOrEqual(3);
  expect(sample(1)).toEqual(sample(1));
  expect(sample(1)).not.toEqual(sample(2));
});
